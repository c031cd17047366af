import { spawn } from "node:child_process";
import { StartError } from "@rowhouse/errors";

type Program = "pg_dump" | "pg_restore";
type Environment = Readonly<Record<string, string | undefined>>;

/** How a program of PostgreSQL ended. */
export interface ProgramEnd {
  readonly isOk: boolean;
  readonly stdout: string;
  /** The last lines of the standard error, without the program's name. */
  readonly reasons: readonly string[];
}

const reasonsMax = 20;

/**
 * Returns the major version of a program on the PATH.
 *
 * @throws StartError if it is not installed or older than needed; the sentence names Debian's package
 */
export async function requireProgram(program: Program, major: number): Promise<number> {
  const remedy = `install postgresql-client-${major}, or a newer one, and put its programs on the PATH`;
  const end = await execute(program, ["--version"], process.env).catch((error: unknown) => {
    throw new StartError(`There is no ${program}: ${remedy}.`, { cause: error });
  });
  const found = Number(/\) (\d+)/.exec(end.stdout)?.[1]);
  if (!end.isOk || Number.isNaN(found)) {
    throw new StartError(`${program} --version failed: ${end.reasons.join(" ")}`);
  }
  if (found >= major) return found;
  throw new StartError(`${program} has version ${found}, and this needs ${major}: ${remedy}.`);
}

/**
 * Runs a program on a database. Its password is in no argument, because other users of the computer can read those.
 *
 * @throws StartError with the program's own reasons
 */
export async function runProgram(
  program: Program,
  url: string,
  args: readonly string[],
): Promise<string> {
  const end = await tryProgram(program, url, args);
  if (end.isOk) return end.stdout;
  throw new StartError(`${program} failed: ${end.reasons.join(" ")}`);
}

/** The same; the caller looks at the end. */
export function tryProgram(
  program: Program,
  url: string,
  args: readonly string[],
): Promise<ProgramEnd> {
  return execute(program, ["--no-password", ...args], { ...process.env, ...variablesOf(url) });
}

/** Converts a URL to the variables of libpq, which rejects some parameters of our URLs. */
function variablesOf(text: string): Environment {
  const url = new URL(text);
  const mode = url.searchParams.get("sslmode");
  const authorities = process.env.PGSSLROOTCERT ?? process.env.NODE_EXTRA_CA_CERTS;
  return {
    PGHOST: url.searchParams.get("host") ?? url.hostname.replaceAll(/^\[|\]$/g, ""),
    PGPORT: url.port === "" ? "5432" : url.port,
    PGUSER: decodeURIComponent(url.username),
    PGPASSWORD: decodeURIComponent(url.password),
    PGDATABASE: decodeURIComponent(url.pathname.slice(1)),
    PGAPPNAME: "rowhouse-backup",
    ...(mode === null ? {} : { PGSSLMODE: mode }),
    ...(authorities === undefined ? {} : { PGSSLROOTCERT: authorities }),
    LC_ALL: "C.UTF-8",
  };
}

function execute(program: Program, args: readonly string[], env: Environment): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let errors = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-64_000);
    });
    child.once("error", reject);
    child.once("close", (code) => {
      const lines = errors.split("\n").filter((line) => line !== "");
      const reasons = lines.map((line) => line.replace(/^pg_\w+: (?:error: )?/, ""));
      resolve({ isOk: code === 0, stdout, reasons: reasons.slice(-reasonsMax) });
    });
  });
}
