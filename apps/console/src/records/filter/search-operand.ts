import { isObject } from "./read-where.ts";

/** The ways in which a full-text search reads its words, the usual one first. */
export const searchModes = ["web", "plain", "phrase", "prefix"] as const;
type SearchMode = (typeof searchModes)[number];

/** A full-text search as the builder shows it. */
interface SearchOperand {
  /** Undefined until it is entered. */
  readonly text: unknown;
  readonly mode: SearchMode;
  /** The name of a text search configuration; the empty text for the default of the database. */
  readonly config: string;
}

/** Reads the operand of `_search`: words, or words with options. Undefined for options that the builder does not know. */
export function readSearchOperand(operand: unknown): SearchOperand | undefined {
  if (!isObject(operand)) return { text: operand, mode: "web", config: "" };
  const { text, mode = "web", config = "", ...others } = operand;
  const known = searchModes.find((one) => one === mode);
  if (known === undefined || typeof config !== "string") return undefined;
  return Object.keys(others).length === 0 ? { text, mode: known, config } : undefined;
}

/** Writes the operand of `_search`: only the words if nothing else was chosen. */
export function writeSearchOperand({ text, mode, config }: SearchOperand): unknown {
  if (mode === "web" && config === "") return text;
  return { text, ...(config !== "" && { config }), ...(mode !== "web" && { mode }) };
}
