#!/usr/bin/env bash
# Set-up names what is missing, to a user without rights in one line to run; warnings are errors only where that is asked for.
# Set-up sees this machine through a PATH from which commands were taken.
source "$(dirname "$0")/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

stub() { # NAME LINE...
    rm -f "$work/bin/$1"
    printf '%s\n' '#!/bin/sh' "${@:2}" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# without NAME...: every command of this machine but these, for a user without rights.
without() {
    local folders folder name
    rm -rf "${work:?}/bin"
    mkdir "$work/bin"
    IFS=: read -ra folders <<<"$PATH"
    for folder in "${folders[@]}"; do cp -sn "$folder"/* "$work/bin/" 2>/dev/null; done
    for name in "$@"; do rm -f "$work/bin/$name"; done
    stub id 'echo 1000'
    stub apt-get 'echo "apt-get was called" >&2; exit 1'
}
# A compiler that does not find this header.
without_header() { stub cc 'text=$(cat)' "case \$text in *'<$1>'*) exit 1 ;; esac" 'printf "%s\n" "$text" | exec gcc "$@"'; }
set_up() { PATH=$work/bin CUDA_HOME=$CUDA tools/setup.sh "$@"; }
one_line_to_run() { [[ $(set_up "$@" 2>/dev/null | grep -c 'sudo apt-get install') == 1 ]]; }

without
said=$(set_up run 2>&1) && [[ ! $said =~ gnuplot|compiler|apt-get\ was ]] && pass 'what is there is not named' || fail 'what is there is not named' "$said"
without gnuplot
case_is 'without gnuplot: goes on' 0 'going on without the charts (package gnuplot-nox)' set_up run
case_is 'without gnuplot: the line to run' 0 '; sudo apt-get install gnuplot-nox' set_up run
without gcc cc c++ g++ make gnuplot
case_is 'without a compiler: stops' 1 'the C compiler: missing, and needed (package gcc)' set_up run
case_is 'without a compiler: one line for all' 0 '' one_line_to_run run
without
stub gcc "case \$1 in -print-prog-name=cc1plus) echo cc1plus ;; *) exec $(command -v gcc) \"\$@\" ;; esac"
case_is 'without a C++ compiler: stops' 1 'the C++ compiler, which nvcc uses: missing, and needed (package g++)' set_up run
without
without_header cmocka.h
case_is 'without cmocka: the tests stop' 1 'sudo apt-get install libcmocka-dev' set_up test
without
stub cc 'case " $* " in *" -fopenmp "*) exit 1 ;; esac' "exec $(command -v gcc) \"\$@\""
case_is 'without OpenMP: goes on' 0 'going on without OpenMP' set_up run
without pandoc
case_is 'without pandoc: run_all goes on' 0 '' set_up run
case_is 'without pandoc: the line to run for the pages' 0 'sudo apt-get install' set_up site
case_is 'wrong usage' 2 'expected one argument, run, test, fresh or site' set_up
case_is 'make test sets up first' 0 'tools/setup.sh test' make -n test

# One source with something that a compiler doubts.
mkdir -p "$work/tree/common/sass/isa"
cp -r Makefile common exercises web tools steps tests "$work/tree/"
echo 'static int nobody_uses_this;' >>"$work/tree/common/sass/isa/lines.c"
object=build/obj/common/sass/isa/lines.o
case_is 'a warning stops nobody' 0 'nobody_uses_this' make -s -C "$work/tree" STRICT= $object
rm "$work/tree/$object"
case_is 'a warning is an error in the checks' 2 'nobody_uses_this' make -s -C "$work/tree" STRICT=1 $object
