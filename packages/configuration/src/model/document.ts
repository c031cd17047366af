import type { Fault } from "@rowhouse/errors";
import type { DocumentPath } from "../yaml/yaml-text.ts";

/** A document that was read from a file. */
export interface Document<Doc = unknown> {
  readonly path: string;
  readonly names: readonly string[];
  readonly value: Doc;
  /** Returns a fault that stands at a value of the document. */
  faultAt(path: DocumentPath, message: string, code?: Fault["code"]): Fault;
  /** Returns a fault that stands at a key of the document. */
  faultAtKey(path: DocumentPath, message: string): Fault;
}
