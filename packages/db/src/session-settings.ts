/**
 * Settings that every session of the service uses, regardless of the defaults of the server, the database or the
 * login: each of them changes a result or the effect of a statement. Values are strings, because the driver omits a
 * parameter whose value is 0.
 *
 * `search_path`, `lc_monetary` and `default_text_search_config` are excluded, because stored data and the database's
 * functions depend on them. So is `default_transaction_read_only`, which an operator or a provider uses to protect a
 * database; the start reports it.
 */
export type SessionSettings = Readonly<Record<string, string>>;

/** Settings that PostgreSQL reports to its client, so that poolers pass them on. */
export const reportedSettings = {
  TimeZone: "UTC",
  DateStyle: "ISO, MDY",
  standard_conforming_strings: "on",
} as const satisfies SessionSettings;

/** Settings that a pooler does not pass on; behind one each transaction sets them. */
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
  // The statements are short and have many expressions: compiling them took 4 s for a result that took 0.1 s.
  jit: "off",
} as const satisfies SessionSettings;

/** SQLSTATE of a connection that `triggersSql` refused. */
export const unguardedState = "RH503";

/**
 * Runs first on each connection. A session may have been told to skip triggers after the start: those that protect
 * accounts and the audit log, and those of foreign keys. The login must not be able to change that itself.
 */
export const triggersSql = `do $$
begin
  if pg_catalog.current_setting('session_replication_role') operator(pg_catalog.=) 'replica' then
    raise exception using errcode = '${unguardedState}',
      message = 'Sessions of the login skip triggers, which protect accounts and the audit log: session_replication_role must be origin';
  end if;
end $$`;

/** After this time the server ends a session that leaves a transaction open, in milliseconds. */
export const idleInTransactionMs = 60_000;

/** For a session that belongs to one connection: only the service ends it while it is idle. */
const idleSettings = { idle_session_timeout: "0" } as const satisfies SessionSettings;

/** The startup parameters of a connection to the server itself. */
export const directSettings: SessionSettings = {
  ...reportedSettings,
  ...ownSettings,
  ...idleSettings,
};

/** The startup parameters of a session in which a statement that writes fails. */
export const readOnlySession: SessionSettings = { default_transaction_read_only: "on" };

/** The same settings as command-line options, for a driver that uses the startup parameter `options`. */
export const sessionOptions = Object.entries(directSettings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\\ ]/g, "\\$&")}`)
  .join(" ");
