import type { Readable } from "node:stream";

/** The bytes of a file that a scanner reads. */
export interface ScannedContent {
  readonly content: Readable;
  readonly bytes: number;
  /** Time for the whole scan in milliseconds. */
  readonly timeoutMs: number;
  /** Aborts when this time is over, or the process stops. */
  readonly signal: AbortSignal;
}

export interface ScanVerdict {
  /** The name of the threat; null for a clean file. */
  readonly finding: string | null;
}

/** Decides whether a file may be served. */
export interface Scanner {
  /** @throws an error without a verdict; the file stays in quarantine, and the scan is repeated */
  scan(file: ScannedContent): Promise<ScanVerdict>;
}
