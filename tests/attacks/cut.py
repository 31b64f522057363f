#!/usr/bin/env python3
"""The last commits are taken away at a commit's border. Expects: cut, exit 6."""
import sys
from forge import Journal

journal = Journal(sys.argv[1])
journal.cut(commits=2)
journal.save(lock=sys.argv[2])
