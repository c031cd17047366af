import { type ParseArgsConfig, parseArgs } from "node:util";
import { StartError } from "@rowhouse/errors";

/** Parsed command-line options. */
export interface ProcessArguments<Flag extends string, Value extends string> {
  readonly flags: Readonly<Record<Flag, boolean>>;
  /** Options with a value; undefined for absent ones. */
  readonly values: Readonly<Record<Value, string | undefined>>;
  /** `--reset-admin [address]`: null without an address; undefined if the option is absent. */
  readonly resetAdmin: string | null | undefined;
}

/** Options of a process besides `--reset-admin`. */
interface OwnOptions<Flag extends string, Value extends string> {
  /** Options without a value. */
  readonly flags?: readonly Flag[];
  /** Options with a value, and its placeholder in messages: `{ backup: "folder" }`. */
  readonly values?: Readonly<Record<Value, string>>;
}

/**
 * Reads the command line of a process that has administrators.
 *
 * @throws StartError for unknown options and arguments
 */
export function readArguments<Flag extends string = never, Value extends string = never>(
  own: OwnOptions<Flag, Value> = {},
  args: readonly string[] = process.argv.slice(2),
): ProcessArguments<Flag, Value> {
  const flags = own.flags ?? [];
  const named = Object.entries<string>(own.values ?? {});
  try {
    const options: NonNullable<ParseArgsConfig["options"]> = Object.fromEntries([
      ...[...flags, "reset-admin"].map((name) => [name, { type: "boolean" }] as const),
      ...named.map(([name]) => [name, { type: "string" }] as const),
    ]);
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    const { positionals } = parsed;
    const values: Readonly<Record<string, unknown>> = parsed.values;
    const isReset = values["reset-admin"] === true;
    const [address = null, ...more] = positionals;
    if (more.length > 0 || (address !== null && !isReset)) {
      throw new Error(`Unexpected argument '${isReset ? more[0] : address}'`);
    }
    return {
      flags: Object.fromEntries(flags.map((name) => [name, values[name] === true])) as Record<
        Flag,
        boolean
      >,
      values: Object.fromEntries(named.map(([name]) => [name, values[name]])) as Record<
        Value,
        string | undefined
      >,
      resetAdmin: isReset ? address : undefined,
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const known = [
      ...flags.map((name) => `--${name}`),
      ...named.map(([name, value]) => `--${name}=<${value}>`),
      "--reset-admin [address]",
    ];
    throw new StartError(`${reason}; the options are ${known.join(", ")}.`);
  }
}
