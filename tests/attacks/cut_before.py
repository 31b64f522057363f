#!/usr/bin/env python3
"""More commits are taken away than came behind the last checkpoint. Expects: cut, exit 6."""
import sys
from forge import Journal

journal = Journal(sys.argv[1])
journal.cut(commits=6)
journal.save(lock=sys.argv[2])
