//! Compilers that are given files look at those alone.

use super::ended::{A, NOTHING, hold};

const JAVAC: &str = "src/A.java:3: error: cannot find symbol\n    int x = y;\n            ^\n  symbol:   variable y\n  location: class A\n1 error\n";
const GCC: &str = "a.c: In function 'main':\na.c:3:9: error: 'y' undeclared (first use in this function)\n    3 | y;\n      | ^\n";
const HEADER: &str = "In file included from a.c:1:\na.h:3:9: error: unknown type name 'y'\n";
const UNUSED: &str = "a.c:3:9: error: unused variable 'y' [-Werror=unused-variable]\n";
const LINK: &str = "/usr/bin/ld: /tmp/cc.o: in function `main':\na.c:(.text+0x9): undefined reference to `foo'\ncollect2: error: ld returned 1 exit status\n";
const RUSTC: &str = "error[E0425]: cannot find value `x` in this scope\n --> a.rs:1:13\n\nerror: aborting due to 1 previous error\n";

#[test]
fn a_compiler_shows_the_files_that_it_is_given() {
    let javac = "javac -d out src/A.java";
    hold(&[
        ((javac, A, JAVAC), (javac, A, NOTHING), true),
        ((javac, A, JAVAC), ("javac src/A.java", A, NOTHING), true),
        ((javac, A, JAVAC), ("javac -cp lib -d out src/A.java src/B.java", A, NOTHING), true),
        ((javac, A, JAVAC), ("javac -d out src/*.java", A, NOTHING), true),
        ((javac, A, JAVAC), ("javac -d out @sources.txt", A, NOTHING), true),
        ((javac, A, JAVAC), ("cd src && javac A.java", A, NOTHING), true),
        ((javac, A, JAVAC), ("mvn -q compile", A, NOTHING), true),
        ((javac, A, JAVAC), ("gradle build", A, "BUILD SUCCESSFUL in 1s\n"), true),
        ((javac, A, JAVAC), ("make", A, NOTHING), true),
        ((javac, A, JAVAC), ("javac -d out src/B.java", A, NOTHING), false),
        ((javac, A, JAVAC), ("javac -d src/A.java src/B.java", A, NOTHING), false),
        ((javac, A, JAVAC), ("javac test/*.java", A, NOTHING), false),
        ((javac, A, JAVAC), ("cd test && javac A.java", A, NOTHING), false),
        ((javac, A, JAVAC), ("javac -version", A, "javac 17\n"), false),
        ((javac, A, JAVAC), ("javac --version", A, "javac 17\n"), false),
        ((javac, A, JAVAC), ("javac -help", A, "Usage: javac\n"), false),
        ((javac, A, JAVAC), ("javac -X", A, "  -Xlint\n"), false),
        ((javac, A, JAVAC), ("gcc -c a.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -c a.c", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("gcc -Wall -g -O2 -c a.c -o a.o", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("gcc -Wall -Wextra -Werror a.c b.c -o a", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("clang -fsyntax-only a.c", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("gcc -c *.c", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("gcc @files", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("make", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("make -j4 all", A, NOTHING), true),
        (("gcc -DX -c a.c", A, GCC), ("make", A, NOTHING), true),
        (("gcc -c a.c", A, GCC), ("make -C other", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("make docs", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("make -n", A, "gcc -c a.c\n"), false),
        (("gcc -c a.c", A, HEADER), ("gcc -Wall -c a.c", A, NOTHING), true),
        (("gcc -c a.c", A, HEADER), ("gcc -c b.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -c b.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("g++ -c x.cpp", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("clang -c b.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -o a.c b.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -include a.c -c b.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -E a.c", A, "int main\n"), false),
        (("gcc -c a.c", A, GCC), ("gcc -MM a.c", A, "a.o: a.c\n"), false),
        (("gcc -c a.c", A, GCC), ("gcc --version", A, "gcc 12\n"), false),
        (("gcc -c a.c", A, GCC), ("gcc -v", A, "gcc version 12\n"), false),
        (("gcc -c a.c", A, GCC), ("gcc -dumpversion", A, "12\n"), false),
        (("gcc -c a.c", A, GCC), ("gcc -### -c a.c", A, NOTHING), false),
        (("g++ -c a.cpp", A, NOTHING), ("g++ --help", A, "Usage: g++\n"), false),
        (("rustc a.rs", A, RUSTC), ("rustc a.rs", A, NOTHING), true),
        (("rustc a.rs", A, RUSTC), ("rustc b.rs", A, NOTHING), false),
        (("rustc a.rs", A, RUSTC), ("rustc -vV", A, "rustc 1.80\n"), false),
        (("rustc a.rs", A, RUSTC), ("rustc --version", A, "rustc 1.80\n"), false),
        (("kotlinc a.kt", A, NOTHING), ("kotlinc -version", A, NOTHING), false),
        (("swiftc a.swift", A, NOTHING), ("swiftc -version", A, NOTHING), false),
    ]);
}

#[test]
fn what_is_built_otherwise_ends_nothing() {
    let strict = "gcc -Wall -Werror -c a.c";
    hold(&[
        (("gcc -DX -c a.c", A, GCC), ("gcc -DX -c a.c -Wall", A, NOTHING), true),
        (("gcc -DX -c a.c", A, GCC), ("gcc -D X -c a.c", A, NOTHING), true),
        (("gcc -DX -c a.c", A, GCC), ("gcc -c a.c", A, NOTHING), false),
        (("gcc -DX=1 -c a.c", A, GCC), ("gcc -DX=2 -c a.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -UX -c a.c", A, NOTHING), false),
        (("gcc -c a.c", A, GCC), ("gcc -DX -c a.c", A, NOTHING), false),
        (("gcc -std=c99 -c a.c", A, GCC), ("gcc -std=c99 -g -c a.c", A, NOTHING), true),
        (("gcc -std=c99 -c a.c", A, GCC), ("gcc -std=gnu17 -c a.c", A, NOTHING), false),
        (("gcc -m32 -c a.c", A, GCC), ("gcc -c a.c", A, NOTHING), false),
        (("gcc -include x.h -c a.c", A, GCC), ("gcc -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), (strict, A, NOTHING), true),
        ((strict, A, UNUSED), ("gcc -Wall -Wextra -Werror -c a.c", A, NOTHING), true),
        ((strict, A, UNUSED), ("gcc -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), ("gcc -Wall -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), ("gcc -Werror -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), ("gcc -w -Wall -Werror -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), ("gcc -Wall -Werror -Wno-unused-variable -c a.c", A, NOTHING), false),
        ((strict, A, UNUSED), ("gcc -Wall -Werror -Wno-error=unused -c a.c", A, NOTHING), false),
    ]);
}

#[test]
fn what_was_not_linked_ends_when_it_is_linked() {
    let link = "gcc a.c -o a";
    hold(&[
        ((link, A, LINK), (link, A, NOTHING), true),
        ((link, A, LINK), ("gcc a.c b.c -o a", A, NOTHING), true),
        ((link, A, LINK), ("gcc a.o b.o -o a", A, NOTHING), true),
        ((link, A, LINK), ("gcc -o a a.c -lfoo", A, NOTHING), true),
        ((link, A, LINK), ("make", A, NOTHING), true),
        ((link, A, LINK), ("cmake --build .", A, NOTHING), true),
        ((link, A, LINK), ("gcc -c a.c", A, NOTHING), false),
        ((link, A, LINK), ("gcc -c a.c -o a", A, NOTHING), false),
        ((link, A, LINK), ("gcc -S a.c", A, NOTHING), false),
        ((link, A, LINK), ("gcc -fsyntax-only a.c", A, NOTHING), false),
        ((link, A, LINK), ("gcc b.c -o b", A, NOTHING), false),
        ((link, A, GCC), ("gcc -c a.c", A, NOTHING), true),
        ((link, A, GCC), ("gcc -c b.c", A, NOTHING), false),
        (("gcc a.c", A, LINK), ("gcc a.c b.c", A, NOTHING), true),
        (("gcc a.c", A, LINK), ("gcc -c a.c", A, NOTHING), false),
    ]);
}
