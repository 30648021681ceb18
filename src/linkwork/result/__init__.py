"""Answers: named series, reactions, the energy ledger, and reports that read well."""
