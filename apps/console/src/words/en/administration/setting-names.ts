/** What each setting is called, and what it means, in English. */
export const settingNames = {
  auth: {
    session_ttl_hours: {
      title: "Lifetime of a session",
      text: "Counted from the sign-in; use does not extend it.",
    },
    registration_enabled: {
      title: "Registration",
      text: "People can register an account themselves. Needs a role with API access.",
    },
    registration_role: {
      title: "Role of registered accounts",
      text: "The role that an account gets when it registers; never Administrators.",
    },
    require_email_verification: {
      title: "Verified address",
      text: "Sign-in requires an address that its person has confirmed.",
    },
    attempts_per_minute: {
      title: "Sign-in attempts",
      text: "From one address in a minute, over all processes.",
    },
    mails_per_minute: {
      title: "Requests for mails",
      text: "From one address in a minute, such as for a new password.",
    },
    return_addresses: {
      title: "Addresses of other front ends",
      text: "Links in mails and providers may return to them: an address, or one with /* at its end for all below it.",
    },
    provider_hosts: {
      title: "Internal sign-in providers",
      text: "Hosts with non-public addresses that the sign-in may call: a name, or a name with a port.",
    },
  },
  api_keys: {
    default_ttl_days: { title: "Lifetime of a token", text: "Used if the person chooses none." },
    rotation_warning_days: {
      title: "Warning before expiry",
      text: "From this time before its expiry on, a token is flagged.",
    },
    purge_after_days: {
      title: "Deletion of old tokens",
      text: "Revoked and expired tokens are deleted after this time.",
    },
  },
  workflows: {
    max_sync_wait_ms: {
      title: "Longest wait of a webhook",
      text: "A call that waits for its run is answered after this time at the latest.",
    },
    run_retention_days: {
      title: "Storage of runs",
      text: "Finished runs are deleted after this time.",
    },
    failure_mail_minutes: {
      title: "Pause between failure mails",
      text: "Between two mails to one person about failed runs.",
    },
    allowed_hosts: {
      title: "Internal hosts",
      text: "Hosts with non-public addresses that workflows may call: a name, or a name with a port.",
    },
    public_hosts: {
      title: "Public hosts",
      text: "The only public hosts that workflows may call: a name, a name with a port, or *.name for all subdomains. Without entries, all are allowed.",
    },
  },
  system: {
    timezone: {
      title: "Time zone",
      text: "In which days begin and end for people without their own, such as Europe/Berlin.",
    },
    public_url: { title: "Public address", text: "The links in mails begin with it." },
  },
  security: {
    cors_origins: {
      title: "Origins of other pages",
      text: "Their pages may call the API in a browser.",
    },
    trusted_proxies: {
      title: "Trusted proxies",
      text: "Their X-Forwarded-For is believed: an address or a network.",
    },
    requests_per_minute: {
      title: "Requests per minute",
      text: "From one address; 0 for no limit.",
    },
  },
  data: {
    default_limit: { title: "Rows of a list", text: "If the request names no limit." },
    max_limit: { title: "Most rows of a list", text: "The highest limit that a request may name." },
    max_filter_nodes: {
      title: "Parts of a filter",
      text: "The most parts that a filter may have.",
    },
    max_filter_depth: {
      title: "Levels of a filter",
      text: "The most levels that a filter may have.",
    },
    max_in_values: {
      title: "Values in a list",
      text: "The most values that a list in a filter may have.",
    },
    max_array_rows: {
      title: "Rows of a creation",
      text: "The most rows that one request may create.",
    },
    max_affected: {
      title: "Rows of a bulk change",
      text: "The highest number of rows that a request may agree to change.",
    },
    max_relation_depth: {
      title: "Length of a path",
      text: "The most relations that a path may follow.",
    },
    max_related_rows: {
      title: "Rows of a related list",
      text: "If the request names no limit; the answer names lists that have more.",
    },
    history_retention_days: {
      title: "Storage of the row history",
      text: "Earlier versions of rows are deleted after this time.",
    },
    max_response_bytes: {
      title: "Size of an answer",
      text: "Larger ones are refused; an export has no such limit.",
    },
    max_response_bytes_at_once: {
      title: "Memory of large answers",
      text: "Held at once in one process; further answers wait.",
    },
    share_statements: {
      title: "Shared reads",
      text: "Reads of one shape that arrive together share an SQL statement.",
    },
    max_exports: {
      title: "Exports at once",
      text: "In one process; each uses a connection of the database.",
    },
    max_exports_per_user: { title: "Exports of one person", text: "At once in one process." },
    statement_timeout_ms: {
      title: "Time of a request",
      text: "A statement that takes longer is ended with an error.",
    },
    export_timeout_ms: {
      title: "Time of an export",
      text: "An export that takes longer is ended.",
    },
    export_stall_ms: {
      title: "Pause of a reader",
      text: "An export ends if its reader takes nothing for this time.",
    },
  },
  views: {
    refresh_timeout_ms: {
      title: "Time of a refresh",
      text: "The refresh of a materialized view that takes longer is ended.",
    },
  },
  limits: {
    body_bytes: {
      title: "Size of a request",
      text: "The largest body that a request may have.",
    },
    import_bytes: { title: "Size of an import", text: "The largest file that can be imported." },
    import_rows: { title: "Rows of an import", text: "The most rows that one import may have." },
    imports_at_once: {
      title: "Imports at once",
      text: "In one process; each uses a connection of the database.",
    },
    imports_per_user: { title: "Imports of one person", text: "At once in one process." },
    import_timeout_ms: {
      title: "Time of an import",
      text: "Upload included; an import that takes longer is ended.",
    },
    import_stall_ms: {
      title: "Pause of a sender",
      text: "An import ends if its sender sends nothing for this time.",
    },
  },
  files: {
    max_bytes: { title: "Size of a file", text: "The largest file that can be stored." },
    max_bytes_per_user: {
      title: "Storage of one person",
      text: "All files that one person has uploaded; 0 for no limit.",
    },
    max_bytes_total: { title: "Storage of all files", text: "0 for no limit." },
    allowed_types: {
      title: "Types of files",
      text: "Media types such as application/pdf or image/*. Without entries, all are allowed.",
    },
    max_uploads_per_user: { title: "Uploads of one person", text: "Received at once." },
    upload_lifetime_hours: {
      title: "Life of an incomplete upload",
      text: "It is deleted after this time.",
    },
    upload_stall_ms: {
      title: "Pause of an upload",
      text: "An upload is interrupted if its sender sends nothing for this time.",
    },
    public_url: {
      title: "Address of files",
      text: "Links to files begin with it, if files have an origin of their own.",
    },
    link_max_lifetime_seconds: {
      title: "Lifetime of a link to a file",
      text: "The longest that an application may ask for. A browser may show a picture for as long after its right has ended.",
    },
    scan_url: {
      title: "Virus scanner",
      text: "It must approve each new file: http(s):// for a hook, or clamd://host:port. Without one, no file is scanned.",
    },
    image_presets: {
      title: "Sizes of images",
      text: "Forms in which images can be requested; one JSON object in each line.",
    },
    image_pixels_max: { title: "Pixels of an image", text: "An image with more is not converted." },
  },
  mcp: {
    enabled: { title: "MCP server", text: "Agents can connect." },
    access: {
      title: "Access of agents",
      text: "Agents may only read, or also create and change rows.",
    },
    allow_deletes: {
      title: "Deletions by agents",
      text: "Agents may delete rows, if they may also write.",
    },
    allow_workflows: {
      title: "Workflows of agents",
      text: "Agents may start workflows that are marked as tools.",
    },
    allow_sql: {
      title: "SQL of agents",
      text: "Agents with a token of the administration may run SQL, if the SQL console admits tokens.",
    },
    oauth: {
      title: "Connection by OAuth",
      text: "People can connect programs without a token of their own.",
    },
    dynamic_registration: {
      title: "Registration of programs",
      text: "Unknown programs may register themselves.",
    },
    client_hosts: {
      title: "Internal programs",
      text: "Hosts of programs with non-public addresses whose documents may be read: a name, or a name with a port.",
    },
    max_result_bytes: {
      title: "Size of a result",
      text: "The most that a tool returns to an agent.",
    },
    call_retention_days: {
      title: "Storage of calls",
      text: "Calls of agents are deleted after this time.",
    },
  },
  configuration: {
    allow_sql: {
      title: "Files with SQL by tokens",
      text: "Tokens of the administration may apply files of the configuration with SQL. This is as powerful as the SQL console for tokens.",
    },
  },
  sql_console: {
    allow_api_tokens: {
      title: "SQL by tokens",
      text: "The SQL console accepts tokens of the administration.",
    },
    default_rows: { title: "Rows of a result", text: "If a run names no number." },
    max_rows: { title: "Most rows of a result", text: "The highest number that a run may name." },
    max_bytes: {
      title: "Size of all results",
      text: "The most that the results of one run may have.",
    },
    default_timeout_ms: { title: "Time of a run", text: "If the run names none." },
    max_timeout_ms: {
      title: "Longest time of a run",
      text: "The highest time that a run may name.",
    },
    max_runs: {
      title: "Runs at once",
      text: "Over all processes; 0 switches the SQL console off.",
    },
  },
};
