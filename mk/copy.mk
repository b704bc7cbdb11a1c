# `make BUILD=DIR GOAL` copies the sources into DIR and makes the goals there. It is for a source
# folder that cannot be written.
.PHONY: copy $(or $(MAKECMDGOALS),all)
.NOTPARALLEL:
copy:
	@mkdir -p '$(BUILD)' && to=$$(cd '$(BUILD)' && pwd -P) && test -w "$$to" || \
	  { echo 'BUILD=$(BUILD): cannot be written' >&2; exit 2; }; \
	  case $$(pwd -P)/ in "$$to"/*) \
	    echo 'BUILD=$(BUILD): is or holds these sources; name another folder' >&2; exit 2;; esac; \
	  tar -cf - --mode=u+w --exclude-vcs --exclude=./build --exclude=./results --exclude=./my \
	  --exclude=./profile \
	      --exclude="./$${to#"$$(pwd -P)"/}" . | tar -xf - -C "$$to" && \
	    tools/commit.sh >"$$to/tools/commit.txt"
$(or $(MAKECMDGOALS),all): copy
	@$(MAKE) --no-print-directory -C '$(BUILD)' BUILD= $@ && echo 'done in $(BUILD): cd there to go on'
