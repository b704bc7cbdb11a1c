"""The number of an H200's SMs, from sasskit/base/h200.h."""
import os
import re

HEADER = os.path.join(os.path.dirname(__file__), '..', '..', 'sasskit', 'base', 'h200.h')
with open(HEADER, encoding='utf-8') as header:
    SMS = int(re.search(r'H200_SMS = (\d+)', header.read()).group(1))
