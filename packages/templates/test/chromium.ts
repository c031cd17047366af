import { existsSync } from "node:fs";
import { createPdfPrinter, type PdfPrinter } from "../src/index.ts";

/** Chromium as Debian installs it; ROWHOUSE_CHROMIUM names another one. */
const path = process.env.ROWHOUSE_CHROMIUM ?? "/usr/bin/chromium";

/** Returns whether a Chromium is installed. With ROWHOUSE_REQUIRE_CHROMIUM=1 its absence is an error. */
export function hasChromium(): boolean {
  if (existsSync(path)) return true;
  if (process.env.ROWHOUSE_REQUIRE_CHROMIUM === "1") {
    throw new Error(`${path} does not exist, and ROWHOUSE_REQUIRE_CHROMIUM is 1`);
  }
  process.stderr.write(`Tests of PDF files are skipped: there is no ${path}\n`);
  return false;
}

/** A printer whose Chromium has no sandbox of its own, because the tests run as root. */
export function createTestPrinter(reports: string[] = [], program = path): PdfPrinter {
  return createPdfPrinter({
    path: program,
    isSandboxed: false,
    report: ({ reason }) => reports.push(reason),
  });
}
