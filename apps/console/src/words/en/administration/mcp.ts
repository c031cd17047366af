/** The texts of the pages of the MCP server in English. */
export const mcp = {
  title: "Agents (MCP)",
  text: "Agents work with the rows that the owner of their token may see, and with nothing else.",
  tabs: { setup: "Set-up", clients: "Clients", calls: "Calls" },
  off: "No agent can connect",
  offText:
    "The MCP server is off: its address answers like one that does not exist. Once it is on, agents read what the roles of a token's owner allow, and write nothing until you allow that too.",
  switchOn: "Switch on, for reading",
  toSetup: "To the set-up",
  opens: "What agents may do",
  opensText:
    "The roles of a token's owner bound each call. These settings bound it further, for all agents, from their next call on. Only a session can change them.",
  allSettings: "All settings of agents",
  needs: "Has no effect until {key} is {value}.",
  switches: {
    enabled: {
      title: "Connect and read",
      text: "Agents find tables, views and workflows, read rows and ask why a row is hidden, as the owner of the token could.",
    },
    access: {
      title: "Create and change rows",
      text: "Agents also write, as far as grants allow. An agent that follows an instruction in a row can then change other rows.",
    },
    deletes: {
      title: "Delete rows",
      text: "Deletions cannot be taken back. Each call names its rows, or the highest number of rows that it may delete.",
    },
    workflows: {
      title: "Start workflows",
      text: "Published workflows that are marked as tools, for roles with the invoke grant. A workflow that sends mails or requests is a way out for what an agent has read.",
    },
    sql: {
      title: "Run SQL",
      text: "For tokens of the administration, with the login of the SQL console. Grants do not bound it. Never for clients that people connected by OAuth.",
    },
    oauth: {
      title: "Let people connect clients themselves",
      text: "A client asks its person on a page of this service, which names the client and what it may do. The consent is listed among the clients and can be revoked.",
    },
    registration: {
      title: "Let unknown clients register",
      text: "For clients that publish no document of their own. Anybody can then register a client under any name.",
    },
  },
  limits: {
    title: "What this does not protect from",
    injection:
      "Instructions in rows: an agent may follow a text that somebody wrote into a row. Results are marked as data, but no server can make an agent respect that.",
    wayOut:
      "The way out: what an agent has read, it can hand to other tools that it has. Here, rows that others see, workflows and SQL are ways out. All three are shut while only the first setting is on.",
    owner:
      "Rights that are too wide: give an agent the token of an account whose roles reach only what it needs.",
    records:
      "Each call is recorded under “Calls”, with its person and outcome, without its values.",
  },
  connect: {
    title: "Connect an agent",
    byToken:
      "Make a token, then paste the text into the client. The agent may do what the roles of the token's owner allow.",
    byOAuth:
      "Paste the text into the client. It opens a page of this service that asks for your consent.",
    makeToken: "New token",
    client: "Client",
    way: "Sign-in",
    ways: { token: "With a token", oauth: "By consent (OAuth)" },
    secretShown: "The texts contain the secret of your new token until you leave the page.",
    bridge:
      "Claude Desktop starts a program from a checkout of Rowhouse on that computer: replace /path/to/rowhouse by its path. The program forwards each message to this service.",
    address: "URL",
  },
  noClients: "No client is connected",
  noClientsText:
    "A client that a person connects by OAuth appears here, with its scopes and its last use. Agents with a token of their own are among the tokens.",
  scopes: { read: "Reads", write: "Writes", workflows: "Starts workflows" },
  document: "Known by its document:",
  registered: "Registered itself as",
  revoke: "Revoke",
  revokeTitle: "Revoke {name}?",
  revokeText:
    "The client loses its access with the next call, for good. Its person can connect it again.",
  noCalls: "No calls yet",
  noCallsText: "Calls of agents appear here as they arrive.",
  live: "Live",
  pause: "Pause",
  follow: "Continue",
  call: "Call",
  tool: "Tool",
  resource: "Resource",
  outcome: "Outcome",
  outcomes: { SUCCEEDED: "Succeeded", REFUSED: "Refused", FAILED: "Failed" },
  any: "Any",
  person: "Person",
  deleted: "Deleted account",
  client: "Client",
  audit: "Audit log of {name}",
  rows: "Rows",
  bytes: "{count, plural, one {# byte} other {# bytes}}",
  duration: "Duration",
  time: "Time",
  remove: "Remove the filter {name}",
  filters: { userId: "Person", tokenId: "Token" },
};
