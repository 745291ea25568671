#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that contract_layout.py finds planted changes and broken rules. Arguments: INCLUDE COMPILER."""
import pathlib
import shutil
import sys
import tempfile
import unittest

import contract_layout

INCLUDE, COMPILER = pathlib.Path(sys.argv[1]), sys.argv[2]
FIRST_OF_DESC = "  uint64_t bytes;           /* 0 is legal */\n"


class ContractLayout(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.include = pathlib.Path(folder.name) / "include"
        self.golden = pathlib.Path(folder.name) / "layout.golden"
        shutil.copytree(INCLUDE / "tenure", self.include / "tenure")
        contract_layout.check(self.include, self.golden, COMPILER, update=True)

    def plant(self, old, new, header="provider_abi.h"):
        path = self.include / "tenure" / header
        text = path.read_text()
        self.assertEqual(text.count(old), 1, old)
        path.write_text(text.replace(old, new))

    def violation(self):
        with self.assertRaises(contract_layout.Violation) as context:
            contract_layout.check(self.include, self.golden, COMPILER)
        return str(context.exception)

    def test_an_unchanged_contract_passes(self):
        contract_layout.check(self.include, self.golden, COMPILER)

    def test_an_inserted_member_names_what_moved_and_the_changelog(self):
        self.plant(FIRST_OF_DESC, "  uint64_t planted;\n" + FIRST_OF_DESC)
        text = self.violation()
        self.assertIn("tenure_storage_desc.planted is new, at offset 16", text)
        self.assertIn("tenure_storage_desc.bytes moved from offset 16 (8 bytes) to offset 24 (8 bytes)", text)
        self.assertIn("CHANGELOG.md", text)

    def test_a_removed_member_is_named(self):
        self.plant(FIRST_OF_DESC, "")
        self.assertIn("tenure_storage_desc.bytes is gone", self.violation())

    def test_a_changed_type_of_equal_size_is_named(self):
        self.plant(FIRST_OF_DESC, FIRST_OF_DESC.replace("uint64_t", "int64_t"))
        self.assertIn("tenure_storage_desc.bytes was 'uint64_t' and is 'int64_t'", self.violation())

    def test_a_changed_signature_is_named(self):
        self.plant("int32_t (*is_exiting)(tenure_host_context*)", "int32_t (*is_exiting)(tenure_host_context*, int32_t)")
        self.assertIn("tenure_host.is_exiting was", self.violation())

    def test_a_changed_number_is_named(self):
        self.plant("TENURE_KIND_HOST = 2,", "TENURE_KIND_HOST = 99,")
        self.assertIn("TENURE_KIND_HOST was 2 and is 99", self.violation())

    def test_a_changed_text_is_named(self):
        self.plant('POOL "tenure.ext.pool/1"', 'POOL "tenure.ext.pool/2"', header="provider_pool.h")
        self.assertIn("TENURE_EXT_POOL was tenure.ext.pool/1 and is tenure.ext.pool/2", self.violation())

    def test_the_domain_that_is_host_memory_is_pinned(self):
        self.plant("TENURE_DOMAIN_HOST UINT64_MAX", "TENURE_DOMAIN_HOST 7")
        self.assertIn("TENURE_DOMAIN_HOST was 18446744073709551615 and is 7", self.violation())

    def test_a_struct_without_a_head_is_refused(self):
        self.plant("typedef struct tenure_mapping {\n  tenure_head head;\n", "typedef struct tenure_mapping {\n")
        self.assertIn("tenure_mapping: the first member must be 'tenure_head head'", self.violation())

    def test_padding_without_a_name_is_refused(self):
        self.plant("  uint64_t offset_bytes;\n  uint64_t bytes;", "  uint32_t offset_bytes;\n  uint64_t bytes;")
        self.assertIn("tenure_fill_desc: 4 bytes before 'bytes' have no name", self.violation())

    def test_types_that_the_contract_forbids_are_refused(self):
        for kind in ("size_t", "long", "int", "bool", "enum tenure_code", "char", "uintptr_t"):
            with self.subTest(kind=kind):
                self.setUp()
                self.plant(FIRST_OF_DESC, f"  {kind} bytes;\n")
                self.assertIn(f"tenure_storage_desc.bytes: the type '{kind}'", self.violation())

    def test_a_struct_in_another_form_is_refused(self):
        self.plant("} tenure_mapping;", "} tenure_mapping, tenure_other;")
        self.assertIn("tenure_mapping", self.violation())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
