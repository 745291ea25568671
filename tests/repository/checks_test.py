#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the repository's checks fail on planted violations and pass without them."""
import pathlib
import tempfile
import unittest

import check_documents
import check_layers
import check_sources


def tree(files):
    folder = tempfile.TemporaryDirectory()
    for name, text in files.items():
        path = pathlib.Path(folder.name) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


class Layers(unittest.TestCase):
    def problems(self, name, include):
        with tree({name: f"#include <{include}>\n"}) as folder:
            return check_layers.check(pathlib.Path(folder))

    def test_each_planted_violation_is_found(self):
        for name, include in [
            ("sdk/include/tenure/provider_abi.h", "stdbool.h"),
            ("sdk/include/tenure/abi/dtype.hpp", "tenure/sdk/boundary.hpp"),
            ("sdk/include/tenure/abi/dtype.hpp", "tenure/layout/layout.hpp"),
            ("sdk/include/tenure/sdk/boundary.hpp", "tenure/base/error.hpp"),
            ("providers/cpu/cpu_engine.cpp", "tenure/config.h"),
            ("providers/cpu/cpu_engine.cpp", "tenure/memory/storage.hpp"),
            ("examples/providers/minimal_c/minimal.c", "tenure/tenure.hpp"),
            ("core/include/tenure/layout/layout.hpp", "tenure/memory/storage.hpp"),
            ("core/src/memory/storage.cpp", "tenure/tensor/tensor.hpp"),
            ("core/src/memory/storage.cpp", "tensor/owner_state.hpp"),
            ("core/src/memory/storage.cpp", "boost/dll/shared_library.hpp"),
            ("core/src/loader/module.cpp", "tenure/sdk/boundary.hpp"),
            ("core/src/execution/engine.cpp", "tbb/parallel_for.h"),
            ("tools/provider_probe/main.cpp", "tenure/sdk/boundary.hpp"),
        ]:
            with self.subTest(name=name, include=include):
                self.assertEqual(len(self.problems(name, include)), 1)

    def test_what_the_layers_allow_passes(self):
        for name, include in [
            ("sdk/include/tenure/provider_abi.h", "stdint.h"),
            ("sdk/include/tenure/sdk/boundary.hpp", "tenure/abi/struct_copy.hpp"),
            ("providers/cpu/cpu_engine.cpp", "tbb/parallel_for.h"),
            ("providers/cpu/cpu_engine.cpp", "tenure/sdk/boundary.hpp"),
            ("core/src/loader/module.cpp", "boost/dll/shared_library.hpp"),
            ("core/src/tensor/tensor.cpp", "tenure/memory/storage.hpp"),
            ("tools/provider_probe/main.cpp", "tenure/loader/registry.hpp"),
        ]:
            with self.subTest(name=name, include=include):
                self.assertEqual(self.problems(name, include), [])


class Sources(unittest.TestCase):
    def problems(self, name, text):
        with tree({name: text}) as folder:
            return check_sources.check(pathlib.Path(folder))[0]

    def test_a_source_without_its_licence_line_is_found(self):
        self.assertEqual(len(self.problems("core/src/base/a.cpp", "int a;\n")), 1)

    def test_a_semicolon_in_a_test_name_is_found(self):
        text = '// SPDX-License-Identifier: Apache-2.0\nTEST_CASE("one; two") {}\n'
        self.assertEqual(len(self.problems("tests/a_test.cpp", text)), 1)

    def test_a_long_file_and_a_long_function_are_found(self):
        licence = "// SPDX-License-Identifier: Apache-2.0\n"
        self.assertEqual(len(self.problems("core/src/base/a.cpp", licence + "\n" * 500)), 1)
        body = "void f() {\n" + "  g();\n" * 100 + "}\n"
        self.assertEqual(len(self.problems("core/src/base/a.cpp", licence + body)), 1)

    def test_a_file_in_order_passes(self):
        text = '// SPDX-License-Identifier: Apache-2.0\nTEST_CASE("one") {}\n'
        self.assertEqual(self.problems("tests/a_test.cpp", text), [])


class Documents(unittest.TestCase):
    def problems(self, text):
        code = "// class TypedTensor; tenure_add_provider"
        test = 'TEST_CASE("a: works") {}'
        files = {"docs/a.md": text, "core/src/base/a.cpp": code, "tools/test": "", "tests/a_test.cpp": test}
        with tree(files) as folder:
            return check_documents.check(pathlib.Path(folder))

    def test_names_that_do_not_exist_are_found(self):
        for text in [
            "see `core/src/base/b.cpp`",
            "see [b](b.md)",
            "a `GoneTensor` is",
            "call `tenure_gone`",
            "```console\ntools/gone --all\n```\n",
            "| what | test |\n|---|---|\n| this | `a: is gone` |\n",
        ]:
            with self.subTest(text=text):
                self.assertEqual(len(self.problems(text)), 1)

    def test_names_that_exist_pass(self):
        text = "`core/src/base/a.cpp` [a](a.md) `TypedTensor` `tenure_add_provider()`\n```console\ntools/test\n```\n"
        text += "| what | test |\n|---|---|\n| this | `a: works` |\n| that | |\n"
        self.assertEqual(self.problems(text), [])


if __name__ == "__main__":
    unittest.main()
