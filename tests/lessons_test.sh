#!/usr/bin/env bash
# Tries the commands and the code of the lessons as a reader would. Commands that need no GPU run
# word for word, apart from those that build a lesson's program. Each must succeed and print
# something or write a file. A number behind `#` at the end of a command is the expected output.
# Commands below a line `# on a GPU:` are skipped.
# `make test` draws some of the commands that run kernels and some of the pages that show outputs;
# `make test-all` takes all.
source "$(dirname "$0")/tap.sh"
unset OMP_NUM_THREADS # with fewer cores the programs would refuse some runs as too long
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
counted=
! of_13_0 'what the commands print' || counted=yes

# Commands write their files into this folder, which links to everything in the project.
tree=$work/tree
mkdir "$tree"
ln -s "$PWD"/* "$tree"

# commands PAGE: prints the commands in fenced blocks that name no language, one per line, without
# those for a GPU. Continued lines are joined; the lines of a loop are joined with \001.
commands() {
    awk '/^ *```/ { fenced = !fenced; plain = fenced && $0 ~ /^ *```$/; gpu = 0; next }
         /^ *# on a GPU:/ { gpu = 1 }
         /^ *# anywhere:/ { gpu = 0 }
         !plain || gpu || /^ *#/ { next }
         { line = line $0; if (sub(/\\$/, "", line)) next }
         line ~ /^for / || loop { whole = whole (loop ? "\001" : "") line; loop = line !~ /^done/;
         line = ""
             if (!loop) { print whole; whole = "" }
             next }
         { print line; line = "" }' "$1"
}
# In lessons and in README.md all commands run but those that set up, build and test the project.
command_words='^(build/|make|ncu |nsys |mpirun |tools/|plots/|grep |head |diff |for [a-z] in |\./)'
elsewhere='^(\./run_all.sh( --quick)?|make( quick| test(-all)?| exercise EX=[0-9a-z]*)?)( +#.*)?$'
# On other pages only commands run that read the project's machine code or name the simulator.
wanted() {
    [[ $1 == *build/sass*build/cubin/* || $1 == *'--backend sim'* ]] &&
        [[ $1 != *' -o '* && $1 != *' > '* && $1 != *'--counters '[!-]* && $1 != *'...'* &&
            $1 != *'| less'* && $1 != *tools/* ]]
}

all_commands() { # PAGE<tab>COMMAND
    for page in steps/*/*.md library/*/*.md docs/setup.md docs/profiling.md sasskit/docs/sass.md \
        sasskit/docs/reuse.md README.md; do
        commands "$page" | sed "s|^|$page\t|"
    done
}
{
    all_commands | grep -vE $'\tbuild/.*--(backend sim|time)'
    all_commands | grep -E $'\tbuild/.*--(backend sim|time)' | draw 3 commands
} >"$work/commands"
for page in $(cut -f 1 "$work/commands" | sort -u); do
    while IFS=$'\t' read -r _ command; do
        command=${command//$'\001'/$'\n'}
        # A build in this copy would relink programs that other tests are running.
        if [[ $command =~ ^make(\ build/[0-9a-z_]+)+( +#.*)?$ ]]; then
            read -ra goals <<<"${command%%#*}"
            missing=
            for goal in "${goals[@]:1}"; do
                [[ -d steps/${goal#build/} || -d library/${goal#build/} ]] || missing+=" $goal"
            done
            if [[ $missing ]]; then
                fail "$page: $command" "no lesson has this program:$missing"
            else
                pass "$page: $command"
            fi
            continue
        fi
        if [[ $page == *docs/* ]]; then
            wanted "$command" || continue
        elif [[ ! $command =~ $command_words || $command =~ $elsewhere ]]; then
            continue
        fi
        status=0
        (cd "$tree" && timeout 600 bash -o pipefail -c "$command") >"$work/said" 2>"$work/error" ||
            status=$?
        number=$(sed -n 's/.*# *\([0-9][0-9,]*\)\([^0-9.].*\)\{0,1\}$/\1/p' <<<"$command" | tr -d ,)
        # 141: head closed the pipe. 1: diff found a difference.
        if [[ $status != 0 && $status != 141 && ! ( $status == 1 && $command == diff* ) ]]; then
            fail "$page: ${command//$'\n'/ }" "exit status $status" "$(tail -n 3 "$work/error")"
        elif [[ ! -s $work/said && $command != *' -o '* ]]; then
            fail "$page: ${command//$'\n'/ }" 'it printed nothing'
        elif [[ $number && $counted ]] && ! grep -qxF "$number" "$work/said"; then
            fail "$page: ${command//$'\n'/ }" "expected $number" "$(head -n 3 "$work/said")"
        else
            pass "$page: ${command//$'\n'/ }"
        fi
    done < <(awk -F'\t' -v page="$page" '$1 == page' "$work/commands")
done

# Commands that a page shows together with their output.
shown() {
    awk '/^```/ { inside = !inside && $0 == "```console" }
        inside && /^\$ / { print substr($0, 3) }' "$@"
}
for page in $(for page in README.md steps/*/*.md library/*/*.md docs/*.md \
    sasskit/docs/*.md; do
    [[ ! $counted || ! $(shown "$page") ]] || echo "$page"
done | draw 6 outputs); do
    needs "$page: its outputs" python3 || continue
    said=$(tools/console.py --check "$page" 2>&1)
    verdict $? "$page: its outputs" "$said"
done
sed 's/16\.50/16.60/' steps/01_naive/evidence.md >"$work/page.md"
if tools/console.py --check "$work/page.md" >/dev/null 2>&1; then
    fail 'another output is found'
else
    pass 'another output is found'
fi

# docs/without_gpu.md has a row for each lesson that shows outputs. The row's commands are among
# those that the lesson's pages show with their outputs.
for lesson in steps/*/ library/shapes/; do
    [[ $(shown "$lesson"*.md) ]] || continue
    row=$(grep -F "](../$lesson" docs/without_gpu.md) || {
        fail "docs/without_gpu.md: $lesson" 'no row'
        continue
    }
    while IFS= read -r command; do
        shown "$lesson"*.md | grep -qxF -- "$command"
        verdict $? "docs/without_gpu.md: $command" "no page of $lesson shows it with its output"
    done < <(sed -n 's/.*| `\(.*\)` |$/\1/p' <<<"$row" | sed 's/\\|/|/g')
done

# Code that a lesson shows is code of the project: some source file has every line of a block ```c,
# apart from comments and spaces. Two pages are excepted, whose algorithms no source has line by
# line:
sketches='steps/10_block_order/README.md steps/13_tensor_cores/wgmma.md'
shown_code() { # PAGE...: prints "PAGE:LINE: ..." for each block that no source contains
    python3 - "$sketches" "$@" <<'END'
import glob, re, sys

def squeezed(line):
    return re.sub(r'\s', '', re.sub(r'//.*', '', line))

sketches = sys.argv[1].split()
sources = {path: ''.join(map(squeezed, open(path, encoding='utf-8')))
           for pattern in ('steps/*/*.[ch]', 'steps/*/*.cu', 'steps/*/*.sass', 'library/**/*.cu',
                           'library/**/*.h')
           for path in glob.glob(pattern, recursive=True)}
for page in sys.argv[2:]:
    block, first = None, 0
    for number, line in enumerate(open(page, encoding='utf-8'), 1):
        if block is None:
            if line.strip() == '```c':
                block, first = [], number
        elif line.strip() == '```':
            lines = [text for text in map(squeezed, block) if text and text not in '{}...']
            found = any(all(text in source for text in lines) for source in sources.values())
            alien = not any(text in source for text in lines for source in sources.values())
            if not found and not (alien and page in sketches):
                print(f'{page}:{first}: no source has all these lines: {block[0].strip()} ...')
            block = None
        else:
            block.append(line)
END
}
if needs 'code that lessons show' python3; then
    wrong=$(shown_code steps/*/*.md docs/notes/*.md)
    [[ ! $wrong ]]
    verdict $? 'code that lessons show is in the sources' "$wrong"
    sed 's/acc/total/' steps/01_naive/README.md >"$work/page.md"
    [[ $(shown_code "$work/page.md") ]]
    verdict $? 'code that no source has is found'
fi

# A lesson's README is short: at most 600 words of running text, five measured figures in its
# sentences (docs/figures.txt), seven numbers per 100 words, and no folded sections. It links
# evidence.md, which has the rest.
prose() { # PAGE: counts the words outside code, tables, markers and tags
    awk '/^ *```/ { fenced = !fenced; next } fenced || /^ *\|/ { next }
        { gsub(/<!--[^>]*-->|<[^>]*>/, ""); words += NF } END { print words + 0 }' "$1"
}
measured_in() { # PAGE: counts the measured figures in its sentences
    awk -F'\t' -v page="[$1]" \
        '/^\[/ { inside = $0 == page } inside && !/^\|/ { count += gsub(/\{\}/, "", $1) }
            END { print count + 0 }' docs/figures.txt
}
# numbers PAGE: counts the numbers in its running text, without names of steps, code, links and the
# numbers of lists.
numbers() {
    awk '/^ *```/ { fenced = !fenced; next } fenced || /^ *\|/ || /^#/ { next }
        { gsub(/<!--[^>]*-->|<[^>]*>|`[^`]*`|\]\([^)]*\)/, " "); sub(/^ *[0-9]+\. /, "");
        gsub(/[Ss]teps? [0-9]+( to [0-9]+)?|[Ll]essons? [0-9]+( to [0-9]+)?|\[[0-9][0-9] /, " ")
            gsub(/[A-Za-z_][A-Za-z0-9_]*(\^[0-9]+)?/, " ");
            count += gsub(/[0-9][0-9,]*(\.[0-9]+)?(\^-?[0-9]+)?/, "") }
        END { print count + 0 }' "$1"
}
for lesson in steps/*/; do
    page=${lesson}README.md words=$(prose "$page") figures=$(measured_in "$page") \
    count=$(numbers "$page")
    folds=$(grep -c '^<details' "$page") links=$(grep -c '](evidence\.md' "$page")
    [[ $lesson != steps/00* ]] || links=1 # lesson 00 has no evidence.md
    ((words <= 600 && figures <= 5 && 100 * count <= 7 * words && folds == 0 && links > 0))
    verdict $? "$lesson: its main line" \
        "$words words, $figures figures, $count numbers, $folds folds, $links links to evidence" \
        "expected at most 600, 5, 7 per 100 words and 0, and a link"
done
printf 'One 1, step 02, `3`, [4](5.md) and 6.5.\n' >"$work/page.md"
if [[ $(numbers "$work/page.md") == 3 ]]; then
    pass 'numbers are counted'
else
    fail 'numbers are counted' "$(numbers "$work/page.md"), expected 3"
fi

# weigh NAME LIMIT PAGE...: passes if the pages together have at most LIMIT words of running text.
weigh() {
    local name=$1 limit=$2 sum=0 page
    shift 2
    for page in "$@"; do sum=$((sum + $(prose "$page"))); done
    if ((sum <= limit)); then
        pass "$name: $sum words"
    else
        fail "$name" "$sum words, expected at most $limit"
    fi
}
weigh 'the main lines' 9500 steps/*/README.md
weigh 'the evidence' 9500 steps/*/evidence.md
weigh 'the story, half an hour at 110 words per minute' 3300 docs/story.md
weigh 'the docs' 11000 docs/*.md
count=$(grep -o '\[[^]]*\]([^)]*)' README.md | grep -vc '^\[The ladder at')
((count <= 25))
verdict $? 'README.md: its links' "$count, expected at most 25"

# Lesson 13: `promoted` has one FADD more than `tf32x3` for every 96 multiply-adds of an element. An
# HMMA executes 32 multiply-adds per lane.
listing() { build/sass dis "build/cubin/sm_90/13_tensor_cores/$1.cubin" | grep -c " $2"; }
if [[ -e build/cubin/sm_90/13_tensor_cores/promoted.cubin ]]; then
    more=$(($(listing promoted 'FADD ') - $(listing tf32x3 'FADD '))) \
    products=$(listing promoted HMMA)
    ((more > 0 && more * 96 == products * 32))
    verdict $? 'steps/13_tensor_cores: one FADD for 96 multiply-adds' \
        "$more FADDs, $products HMMA"
else
    skip 'steps/13_tensor_cores: its FADDs' 'built for another ARCH'
fi

# Lesson 08's ring.cu computes C = A B of whole tiles without a race. The simulator reports a race
# if its barrier is removed.
ring() { # SOURCE: prints the values of C for matrices of ones, and the simulator's reports
    "$NVCC" -O3 -std=c++17 -arch=sm_90 -cubin -lineinfo -o "$work/ring.cubin" "$1" &&
        build/simrun "$work/ring.cubin" --grid 2,2 --block 256 --arg i32:64 \
            --arg "f32[16384]:file:$work/ones" --arg i32:64 \
            --arg "f32[16384]:file:$work/ones" --arg i32:256 --arg "f32[65536]:zero=out:$work/c" \
            --arg i32:256 &&
        od -A n -t f4 -v "$work/c" | tr -s ' ' '\n' | sort -u | grep .
}
if NVCC=$(tools/nvcc.sh 2>/dev/null); then
    # The bytes of 16,384 floats, each 1.0
    awk 'BEGIN { for (i = 0; i < 16384; i++) printf "%c%c%c%c", 0, 0, 128, 63 }' >"$work/ones"
    said=$(ring steps/08_double_buffer/ring.cu 2>&1) && [[ $said == 64 ]]
    verdict $? 'ring.cu' "$said"
    sed 's/^\( *\)__syncthreads();/\1;/' steps/08_double_buffer/ring.cu >"$work/ring.cu"
    if said=$(ring "$work/ring.cu" 2>&1); then
        fail 'ring.cu without its barrier' "$said"
    else
        pass 'ring.cu without its barrier'
    fi
else
    skip 'ring.cu' 'no nvcc'
fi

# From kernel to kernel a lesson changes little: limits of lines of code removed and added.
code() { sed -E 's,[[:space:]]*//.*,,; /^$/d' "$1"; }
while read -r from to most; do
    lines=$(diff <(code "steps/$from") <(code "steps/$to") | grep -c '^[<>]')
    if ((lines <= most)); then
        pass "diff $from $to: $lines lines"
    else
        fail "diff $from $to" "$lines lines, expected $most at most"
    fi
done <<'END'
01_naive/kernel.cu 02_shared_tiling/kernel.cu 50
03_outer_product/kernel.cu 04_warp_tiling/kernel.cu 30
04_warp_tiling/kernel.cu 05_float4/kernel.cu 100
05_float4/kernel.cu 06_conflict_free_transpose/kernel.cu 30
06_conflict_free_transpose/kernel.cu 07_z_order/kernel.cu 30
07_z_order/kernel.cu 08_double_buffer/kernel.cu 55
08_double_buffer/cp_async.cu 09_reuse_sass/kernel.cu 15
END
