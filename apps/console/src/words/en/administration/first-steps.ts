/** The texts of an administrator's first steps in English. */
export const firstSteps = {
  title: "First steps",
  hide: "Hide",
  done: "done",
  tables: {
    title: "Open tables",
    text: "Nothing can be seen yet. Create a table, import a CSV file, load the sample, or use a database that you have.",
    found:
      "{count, plural, one {# table or view is} other {# tables and views are}} hidden in {schemas}. Choose which to open, and for whom.",
    choose: "Choose what to open",
    create: "New table, or from a CSV file",
    connect: "Connect another database",
  },
  role: {
    title: "Add a role",
    text: "A role says what its members may do with which tables.",
    open: "Roles",
  },
  person: {
    title: "Invite a colleague",
    text: "They choose a password and have the roles that you give them.",
    open: "Invite",
  },
  dashboard: {
    title: "Build a dashboard",
    text: "Figures and charts of your tables, proposed from their columns.",
    open: "New dashboard",
  },
  token: {
    title: "Create a token",
    text: "A program signs in to the API with it.",
    open: "Your tokens",
  },
  sample: "The sample, a vehicle fleet, is loaded.",
  loadSample: "Load the sample",
  loadingSample: "Loading…",
  removeSample: "Remove the sample",
  removeSampleTitle: "Remove the sample?",
  removeSampleText:
    "Its tables, with every change that was made to their rows, its grants, DataViews and panels are deleted. Tables of your own stay.",
};

/** The texts of the page that opens hidden tables in English. */
export const openTables = {
  title: "Open tables",
  text: "What is not opened stays hidden from everybody. You can change all of this later.",
  access: "What may be done",
  accesses: { READ: "Read", WRITE: "Read and write" },
  role: "Who may do it",
  for: "Besides administrators",
  newRole: "A new role",
  noRole: "Nobody",
  newRoleName: "Name of the role",
  roleName: "Staff",
  newRoleHint: "Invite people with this role afterwards.",
  chosen: "{count} of {all} chosen",
  tables: "Hidden tables and views",
  view: "view",
  label: "Label that people read",
  labelOf: "Label of {name}",
  rowTitle: "Rows are called",
  noSamples: "The rows could not be read quickly enough to show some.",
  open: "{count, plural, one {Open # table} other {Open # tables}}",
  opened: "{count, plural, one {# table is open.} other {# tables are open.}}",
  home: "To the start page",
  invite: "Invite people with the role",
  dashboard: "Build a dashboard",
  nothing: "No table is hidden.",
  leave: "Leave this page? The labels and titles that you chose are lost.",
};

/** The texts of the page about another database in English. */
export const connect = {
  title: "Connect another database",
  text: "The service works with one PostgreSQL database, version 15 or newer, whose address is in its environment. Your tables stay as they are, and hidden until you open them.",
  start: "Start with your database",
  startText:
    "Stop the service and start it again with the address of the database. Its login needs the right to create a schema: the service keeps its own records in the schema system.",
  command: "Command",
  after:
    "This installation keeps the database that it has now; its accounts and settings are in there, and come back when you start without the address.",
};
