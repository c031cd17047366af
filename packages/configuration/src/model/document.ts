import type { Fault } from "@rowhouse/errors";
import type { DocumentPath, Position } from "../yaml/yaml-text.ts";

/** A document that was read from a file. */
export interface Document<Doc = unknown> {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: Doc;
  /**
   * Returns a fault that stands at a value of the document.
   *
   * @param inside the place in the file beside the document, if the value is its text
   */
  faultAt(path: DocumentPath, message: string, code?: Fault["code"], inside?: Position): Fault;
  /** Returns a fault that stands at a key of the document. */
  faultAtKey(path: DocumentPath, message: string): Fault;
}

/** How a file differs from that of the last apply: in no file at all, gone from the service, or with another content. */
export const driftKinds = ["NOT_IN_FILES", "MISSING", "CHANGED"] as const;
