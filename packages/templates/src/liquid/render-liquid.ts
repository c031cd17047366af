import { Context, type Emitter, Liquid } from "liquidjs";
import { csvValue } from "./csv-value.ts";
import { takeTurns } from "./take-turns.ts";

/** The text that a template makes: it decides how values are written into it. */
export type TextFormat = "HTML" | "TEXT" | "CSV";

export type Variables = Readonly<Record<string, unknown>>;

export interface LiquidOptions {
  readonly format: TextFormat;
  /** Whether an undefined variable is an error; otherwise it is an empty text. */
  readonly isStrict?: boolean;
  /** The bound of all texts and lists that filters create, in characters and items. */
  readonly memoryMax: number;
  /** The bound of the result, in characters. */
  readonly charactersMax: number;
}

const limits = { parseLimit: 100_000 } as const;
/** The bound of the processor time of a rendering, in milliseconds. */
const activeMsMax = 1000;
// Liquid executes no code of a template, and with an empty map of templates it reads no file.
const options = { ownPropertyOnly: true, templates: {}, strictFilters: true, ...limits } as const;
const engines: Readonly<Record<TextFormat, Liquid>> = {
  TEXT: new Liquid(options),
  HTML: new Liquid({ ...options, outputEscape: "escape" }),
  CSV: new Liquid({ ...options, outputEscape: csvValue }),
};

/**
 * Renders a Liquid template. Values are escaped in HTML, quoted in CSV, and never parsed as a template; `raw` switches
 * this off for one value. A template has at most 100,000 characters and one second of processor time, which it takes in
 * short turns: the process does its other work meanwhile.
 *
 * @throws if Liquid rejects the template, or if it exceeds a bound
 */
export async function renderLiquid(
  source: string,
  values: Variables,
  { format, isStrict = false, memoryMax, charactersMax }: LiquidOptions,
): Promise<string> {
  const liquid = engines[format];
  const bounds = { strictVariables: isStrict, memoryLimit: memoryMax };
  const context = new Context(values, liquid.options, bounds, { liquid });
  const output = new BoundedOutput(charactersMax);
  const steps = liquid.renderer.renderTemplates(liquid.parse(source), context, output);
  await takeTurns(steps, activeMsMax);
  return output.buffer;
}

/** Returns the reason of Liquid's error. It quotes the template, which an administrator wrote. */
export function reasonOf(error: unknown): string {
  const [reason = ""] = (error instanceof Error ? error.message : "").split("\n");
  return reason.slice(0, 200);
}

/** Liquid's own output has no bound: a loop over a large value exceeds the memory within a second. */
class BoundedOutput implements Emitter {
  buffer = "";
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  write(part: unknown): void {
    this.buffer += textOf(part);
    if (this.buffer.length > this.#max) {
      throw new Error(`the result has more than ${this.#max} characters`);
    }
  }
}

/** The text of a value, as in Liquid: null is empty, the items of a list follow one another. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return Array.isArray(value) ? value.map(textOf).join("") : String(value);
}
