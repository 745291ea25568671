#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a component to a temporary prefix and builds against it, as somebody outside this tree does.

    check_install.py CASE --build BUILD --source SOURCE --cmake CMAKE --c-compiler CC --cxx-compiler CXX

Cases: minimal_c, minimal_cpp (an example provider), sanitized (one with the author's sanitizer flags), linked (one that
links a library of the author's), consumer (a program that links libtenure and loads one), readme (what README.md shows), wrong_component,
core_missing, subproject (this tree as a part of another project).
"""
import argparse
import ctypes
import pathlib
import re
import subprocess
import sys
import tempfile

ENTRY = "tenure_provider_entry_v1_draft"


class Failure(Exception):
    pass


def run(*command, may_fail=False):
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if result.returncode != 0 and not may_fail:
        raise Failure(f"{' '.join(map(str, command))}\n{result.stdout}{result.stderr}")
    return result


def configure(options, source, build, prefix, *flags, may_fail=False):
    return run(
        options.cmake, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_C_COMPILER={options.c_compiler}", f"-DCMAKE_CXX_COMPILER={options.cxx_compiler}",
        "-DCMAKE_C_FLAGS=-Werror -Wall -Wextra", "-DCMAKE_CXX_FLAGS=-Werror -Wall -Wextra", *flags, may_fail=may_fail,
    )  # fmt: skip


def check_provider(file):
    """The file exports the entry and nothing else, carries the note, and needs nothing of ours."""
    symbols = [line.split()[-1] for line in run("nm", "-D", "--defined-only", file).stdout.splitlines()]
    if symbols != [ENTRY]:
        raise Failure(f"{file.name} exports {symbols}; expected {ENTRY} alone")
    if ".note.tenure" not in run("readelf", "-SW", file).stdout:
        raise Failure(f"{file.name} has no section .note.tenure")
    needed = [line for line in run("readelf", "-d", file).stdout.splitlines() if "NEEDED" in line]
    if any("tenure" in line for line in needed):
        raise Failure(f"{file.name} needs a library of ours: {needed}")


def build_provider(options, work, name):
    prefix = work / "prefix"
    run(options.cmake, "--install", options.build, "--prefix", prefix, "--component", "sdk")
    configure(options, options.source / "examples/providers" / name, work / "build", prefix)
    run(options.cmake, "--build", work / "build")
    check_provider(work / "build" / f"lib{name}.so")


def build_sanitized(options, work):
    prefix = work / "prefix"
    run(options.cmake, "--install", options.build, "--prefix", prefix, "--component", "sdk")
    flags = "-DCMAKE_CXX_FLAGS=-fsanitize=address"
    configure(options, options.source / "examples/providers/minimal_cpp", work / "build", prefix, flags)
    run(options.cmake, "--build", work / "build")


def runpath(file):
    lines = [line for line in run("readelf", "-d", file).stdout.splitlines() if "RUNPATH" in line]
    # CMake ends one that it is going to rewrite with a colon.
    return lines[0].partition("[")[2].partition("]")[0].rstrip(":").split(":") if lines else []


def build_linked(options, work):
    """In the build tree a provider finds the library it links; installed, it looks beside itself alone."""
    prefix, project, build = work / "prefix", work / "project", work / "build"
    run(options.cmake, "--install", options.build, "--prefix", prefix, "--component", "sdk")
    project.mkdir()
    (project / "vendor.c").write_text("int vendor_number(void);\nint vendor_number(void) { return 1; }\n")
    source = (options.source / "examples/providers/minimal_c/minimal.c").read_text()
    source = source.replace("static uint64_t count_one", "int vendor_number(void);\nstatic uint64_t count_one")
    source = source.replace("return self != NULL;", "return self != NULL && vendor_number() == 1;")
    (project / "linked.c").write_text(source)
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(linked LANGUAGES C)\n"
        "find_package(tenure REQUIRED COMPONENTS sdk)\n"
        "add_library(vendor SHARED vendor.c)\n"
        "set_target_properties(vendor PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/vendor)\n"
        "tenure_add_provider(linked SOURCES linked.c LINK_PRIVATE vendor)\n"
        "install(TARGETS linked LIBRARY DESTINATION lib)\n"
    )
    configure(options, project, build, prefix)
    run(options.cmake, "--build", build)
    ctypes.CDLL(str(build / "liblinked.so"))
    if runpath(build / "liblinked.so") != ["$ORIGIN", str(build / "vendor")]:
        raise Failure(f"in the build tree the RUNPATH is {runpath(build / 'liblinked.so')}")
    run(options.cmake, "--install", build, "--prefix", work / "installed")
    if runpath(work / "installed/lib/liblinked.so") != ["$ORIGIN"]:
        raise Failure(f"the installed RUNPATH is {runpath(work / 'installed/lib/liblinked.so')}")


def configure_subproject(options, work):
    project = work / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(outer LANGUAGES C CXX)\nenable_testing()\n"
        f'add_subdirectory("{options.source}" tenure)\n'
        "if(NOT TARGET tenure::tenure OR TARGET minimal_c OR TARGET tenure_test_support)\n"
        '  message(FATAL_ERROR "expected the library without examples and tests")\nendif()\n'
        "find_package(tenure QUIET)\nif(tenure_FOUND)\n"
        '  message(FATAL_ERROR "an empty package stands in for an installed one")\nendif()\n'
    )
    configure(options, project, work / "build", work / "prefix", "-DTENURE_CUDA=OFF")


def build_consumer(options, work):
    prefix = work / "prefix"
    for component in ("sdk", "core"):
        run(options.cmake, "--install", options.build, "--prefix", prefix, "--component", component)
    configure(options, options.source / "tests/install/consumer", work / "build", prefix)
    run(options.cmake, "--build", work / "build")
    provider = options.build / "providers/libminimal_cpp.so"
    output = run(work / "build" / "consumer", provider).stdout
    if output != "org.tenure.example.minimal-cpp\n":
        raise Failure(f"the consumer printed '{output}'")


def build_readme_program(options, work):
    """The program and the CMakeLists.txt that README.md shows, against everything that is installed."""
    readme = (options.source / "README.md").read_text()
    program, project = (re.search(rf"```{kind}\n(.*?)```", readme, flags=re.S)[1] for kind in ("cpp", "cmake"))
    prefix = work / "prefix"
    run(options.cmake, "--install", options.build, "--prefix", prefix)
    folder = work / "project"
    folder.mkdir()
    (folder / "main.cpp").write_text(program)
    (folder / "CMakeLists.txt").write_text(project)
    configure(options, folder, work / "build", prefix)
    run(options.cmake, "--build", work / "build")
    output = run(work / "build" / "product", prefix / "lib/tenure/providers/libtenure_cpu.so").stdout
    if output != "5 11\n11 25\n":
        raise Failure(f"the README's program printed '{output}'")


def expect_refusal(options, work, component, sentence):
    prefix = work / "prefix"
    run(options.cmake, "--install", options.build, "--prefix", prefix, "--component", "sdk")
    project = work / "project"
    project.mkdir()
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.25)\nproject(consumer LANGUAGES CXX)\n"
        f"find_package(tenure REQUIRED COMPONENTS {component})\n"
    )
    result = configure(options, project, work / "build", prefix, may_fail=True)
    text = " ".join(result.stderr.split())
    if result.returncode == 0 or sentence not in text:
        raise Failure(f"expected a refusal with '{sentence}', found:\n{result.stderr}")


CASES = {
    "minimal_c": lambda options, work: build_provider(options, work, "minimal_c"),
    "minimal_cpp": lambda options, work: build_provider(options, work, "minimal_cpp"),
    "sanitized": build_sanitized,
    "linked": build_linked,
    "consumer": build_consumer,
    "readme": build_readme_program,
    "wrong_component": lambda options, work: expect_refusal(
        options, work, "kore", "tenure has no component 'kore'; its components are core and sdk"
    ),
    "core_missing": lambda options, work: expect_refusal(
        options, work, "core", "this installation of tenure holds the component sdk only"
    ),
    "subproject": configure_subproject,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("case", choices=CASES)
    for name in ("build", "source"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    for name in ("cmake", "c-compiler", "cxx-compiler"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            CASES[options.case](options, pathlib.Path(folder))
        except Failure as failure:
            sys.exit(str(failure))


if __name__ == "__main__":
    main()
