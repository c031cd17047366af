/**
 * What every session of the service runs with, whatever the server, the database or the login sets: each of these
 * settings changes an answer or what a statement does. Values are strings, because the driver omits a parameter
 * whose value is 0.
 *
 * Not here: `search_path`, `lc_monetary` and `default_text_search_config`, which give the stored data and the functions
 * of the database their meaning, and `default_transaction_read_only`, by which an operator or a provider guards a
 * database. A start reports the last one.
 */
type Settings = Readonly<Record<string, string>>;

/** Settings that Postgres reports to its client, so that poolers pass them on. */
export const reportedSettings = {
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  standard_conforming_strings: "on",
} as const satisfies Settings;

/** Settings that a pooler does not pass on: behind one, the login has them, and a start compares them. */
export const ownSettings = {
  IntervalStyle: "iso_8601",
  extra_float_digits: "1",
  bytea_output: "hex",
  xmlbinary: "base64",
  xmloption: "content",
  array_nulls: "on",
  timezone_abbreviations: "Default",
  quote_all_identifiers: "off",
  transform_null_equals: "off",
  gin_fuzzy_search_limit: "0",
  row_security: "on",
  default_transaction_isolation: "read committed",
  lock_timeout: "0",
  exit_on_error: "off",
  // The statements are short and their expressions many: compiling them took 4 s for a result that took 0.1 s.
  jit: "off",
} as const satisfies Settings;

/** For a session that belongs to one connection: nothing but the service ends it while it is idle. */
const idleSettings = { idle_session_timeout: "0" } as const satisfies Settings;

/** The startup parameters of a connection to the server itself. */
export const directSettings: Settings = { ...reportedSettings, ...ownSettings, ...idleSettings };

/** The same as command-line options, for a driver that takes the startup parameter `options`. */
export const sessionOptions = Object.entries(directSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`)
  .join(" ");

/**
 * One row: which of the settings the session does not have, as text, or null. A server without LLVM compiles nothing,
 * whatever `jit` says.
 */
export const wrongSettingsSql = `
select string_agg(format('%s is %s and not %s', e.name, current_setting(e.name), e.value), ', ' order by e.name) as wrong
from (values ${Object.entries({ ...reportedSettings, ...ownSettings })
  .map(([name, value]) => `('${name}', '${value}')`)
  .join(", ")}) e (name, value)
where current_setting(e.name) <> e.value and (e.name <> 'jit' or pg_catalog.pg_jit_available())`;
