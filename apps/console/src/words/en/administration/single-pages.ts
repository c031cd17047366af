/** The texts of the first page of the administration in English. */
export const overview = {
  title: "Overview",
  text: "The installation in numbers, and what needs a hand, with the page that mends it.",
  count: "{count, number}",
  more: "{count, plural, one {and # more} other {and # more}}",
  nothing: "Nothing needs a hand",
  nothingText:
    "Every table is open to a role, a mail server is set, no token expires soon, no workflow warns, and no setting is unsafe.",
  figures: {
    count: "{count, number}",
    more: "{count, number}+",
    tables: "Open tables and views",
    hidden: "{count, plural, =0 {none is hidden} one {# is hidden} other {# are hidden}}",
    people: "People",
    roles: "Roles",
    workflows: "Workflows enabled",
    ofAll: "of {count, number}",
    runs: "Runs of the last 24 hours",
    failed: "{count, plural, =0 {none failed} other {# failed}}",
  },
  runs: "Runs of the last 24 hours",
  runCounts: "{all, plural, one {# run} other {# runs}}, {failed, number} failed",
  hour: "{hour}: {all, plural, one {# run} other {# runs}}, {failed, number} failed",
  hidden: {
    title: "{count, plural, one {# table is hidden} other {# tables are hidden}}",
    text: "No API and no page of the workspace shows a hidden table or view. The access matrix opens them to roles.",
    open: "Choose which to open",
    link: "Access matrix",
  },
  noMail: {
    title: "No mail server is set",
    text: "Invitations, new passwords and reports of failed runs reach nobody: mails are written to files of the service. Set SMTP_URL in its environment.",
  },
  unreached: {
    title: "Exposed, but nobody may use it",
    text: "No role but Administrators has an effective grant on these tables and views.",
  },
  ineffective: {
    title: "Grants without effect",
    text: "A column that the grant needs was deleted, or its type, collation or labels have changed, so the grant gives nothing. Check the grant, and save it again.",
    grant: "{role}: {action} on {table}",
    actions: { READ: "read", CREATE: "create", UPDATE: "change", DELETE: "delete" },
    role: "A deleted role",
    lost: "because of: {columns}",
  },
  expiring: {
    title: "Tokens that expire soon",
    text: "At most a fifth of their lifetime is left. Regenerate them before the programs that use them stop.",
    detail: "{owner}, until {day}",
  },
  unsafe: { title: "Unsafe settings", text: "These values are not safe in production." },
  broken: { title: "Workflows with a problem", text: "They cannot run until it is mended." },
  doubtful: {
    title: "Workflows that warn",
    text: "They are enabled, but a step probably fails: the check of the editor finds a fault in what is published.",
    more: "{count, plural, one {and # more warning} other {and # more warnings}}",
  },
  code: {
    title: "Code of the database can act as an administrator",
    text: "A login that may create triggers or functions in this database can act as an administrator. The operator ends this with a third login (SYSTEM_DATABASE_URL) and the file close-service.sql.",
  },
  lostMails: {
    title: "Mails that were given up",
    text: "In the last 24 hours: the mail server rejected them, or their link expired first. Their readers must request another.",
    user: { named: "Mail to <name></name>", gone: "Mail to a deleted person" },
    invitation: { named: "Invitation of <name></name>", gone: "A deleted invitation" },
    run: { named: "Mail of the workflow <name></name>", gone: "Mail of a deleted workflow" },
  },
  failed: {
    title: "Failed runs",
    text: "In the last 24 hours, without tests. Runs with the same error are one entry.",
    step: "step {step}",
    times: "{count, number} times, last",
  },
};

/** The texts of the SQL console in English. */
export const sql = {
  title: "SQL",
  text: "Statements run under a login that may read and change the rows of your tables, and little else. They are one transaction, read-only until you confirm a change.",
  tabs: {
    label: "Texts of the editor",
    unnamed: "Query {number}",
    add: "New tab",
    rename: "Rename {name}",
    close: "Close {name}",
    confirmClose: "Close {name}? Its text is lost.",
    name: "Name",
  },
  names: { label: "Tables", insert: "Insert {name}" },
  editor: "SQL statements",
  run: "Run",
  runSelection: "Run selection",
  explain: "Explain",
  cancelRun: "Cancel the run",
  cancelling: "Cancelling…",
  running: "Running…",
  start: "Ctrl Enter runs the selection, or else everything. Ctrl Space completes names.",
  history: "History",
  historyText: "The last 50 statements that you have run in this browser.",
  noHistory: "Statements that you run are listed here, in this browser only.",
  hasFailed: "failed",
  saved: "Saved statements",
  noneSaved: "No statement has been saved.",
  saveAs: "Save the text of the editor as",
  savedHere: "Kept in this browser only.",
  replacesSaved: "Replaces the saved statement of this name.",
  deleteSaved: "Delete {name}",
  rowLimit: "Rows",
  timeLimit: "Time",
  usual: "as set",
  rowsMax: "{count, number}",
  seconds: "{count, number} s",
  done: "{count, plural, one {# statement} other {# statements}} in {duration} ms",
  committed:
    "{count, plural, one {# statement} other {# statements}} in {duration} ms, changes committed",
  notices: "Messages",
  result: "Result {number}",
  rowsOf: "Rows of result {number}",
  rows: "{count, plural, one {{number} row} other {{number} rows}}",
  changedRows: "{count, plural, one {{number} row changed} other {{number} rows changed}}",
  showMore: "Show more ({count, number} left)",
  truncated: "Rows are missing: the result is longer than the limits of the run.",
  exportCsv: "Save result {number} as CSV",
  exportNdjson: "Save result {number} as NDJSON",
  emptyText: "empty text",
  failedStatement: "Statement {number}: {message}",
  detail: "Detail",
  hint: "Hint",
  rolledBack: "The run was rolled back.",
  failure: {
    SESSION_REQUIRED:
      "The SQL console needs a session. The setting sql_console.allow_api_tokens decides whether tokens are admitted, and only a session can change it.",
    SQL_CANCELLED: "The run was cancelled. Nothing of it remains.",
    QUERY_TIMEOUT:
      "The run exceeded its time and was rolled back. Choose a longer time to try again.",
  },
  write: {
    title: "Run statements that change data?",
    text: "All of these statements run in one transaction, which is then committed. It cannot be taken back.",
    reason: "PostgreSQL refused to run them read-only: {reason}.",
    run: "Run and commit",
    cancel: "Cancel",
  },
  plan: {
    title: "Plan",
    text: "As PostgreSQL would run the statement now, with its estimates. The percentage is the part of the cost that arises in a step itself.",
    costliest: "costs most",
    numbers: "{percent} · {count, plural, one {{rows} row} other {{rows} rows}} · cost {cost}",
  },
};

/** The texts of the reference of the APIs in English. */
export const reference = {
  title: "API",
  text: "What every operation takes and returns, with requests that fit your data.",
  document: "Document",
  documents: {
    own: "What you may call",
    admin: "Admin API",
    app: "App API",
    role: "Data API of the role {name}",
  },
  find: "Find an operation",
  makeToken: "Make a token",
  secretShown:
    "The new token stands in the requests below until you leave this page. It is stored nowhere.",
  parameters: "Parameters",
  required: "required",
  body: "Body",
  answer: "Response {status}",
  noBody: "Without a JSON body.",
  call: "MCP call",
  copy: "Copy {title}",
  copied: "Copied",
};

/** The texts of the use of files in English. */
export const fileUse = {
  start: "Use files",
  startAsk: "Use files…",
  startText:
    "The tables of files and folders are exposed, and the chosen roles get rights to them. Administrators see every file. Rights that a role already has stay as they are.",
  unused: "Files are not in use",
  unusedText:
    "People can keep pictures and documents here, and columns of tables can refer to them. One step opens the library to the roles that you choose.",
  usedHint: "The library is open. The matrix of access says which roles may read and upload files.",
  rolesHint: "Without a role, only administrators use files.",
  rights: "The roles may",
  choices: { READ: "read", UPLOAD: "read and upload" },
  effects: {
    READ: "All files and folders.",
    UPLOAD:
      "All files and folders are read. Uploaders change and delete only their own files. They cannot make a file public.",
  },
  stop: "Stop using files",
  stopTitle: "Stop using files?",
  stopText:
    "The tables of files and folders are hidden. Nobody reads or uploads files until they are used again, administrators included. Files and rights stay, and a file that was made public still opens at its address.",
};
