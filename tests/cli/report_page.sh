#!/usr/bin/env bash
# Pages in a browser: no word on the console, nothing fetched, charts drawn, tables that sort and
# filter, and names that stay names. Skipped where there is no Chromium.
set -u
exec python3 "$(dirname "$0")/report_page.py"
