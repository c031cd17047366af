/** The texts of the first page of the administration in English. */
export const overview = {
  title: "Overview",
  text: "What needs a hand, with the page that mends it.",
  count: "{count, number}",
  more: "{count, plural, one {and # more} other {and # more}}",
  nothing: "Nothing needs a hand",
  nothingText: "Every exposed table has a grant, no token expires soon, and no setting is unsafe.",
  runs: "Runs of the last day",
  runCounts: "{all, plural, one {# run} other {# runs}}, {failed, number} failed",
  hour: "{hour}: {all, plural, one {# run} other {# runs}}, {failed, number} failed",
  unreached: {
    title: "Exposed, but nobody may use it",
    text: "No role but Administrators has an effective grant on these tables and views.",
  },
  ineffective: {
    title: "Grants without effect",
    text: "A column that the grant needs was deleted, so the grant gives nothing.",
  },
  expiring: {
    title: "Tokens that expire soon",
    text: "Regenerate them before the programs that use them stop.",
    detail: "{owner}, until {day}",
  },
  unsafe: { title: "Unsafe settings", text: "These values are not safe in production." },
  broken: { title: "Workflows with a problem", text: "They cannot run until it is mended." },
  lostMails: {
    title: "Mails that were given up",
    text: "Of the last day: the mail server rejected them, or their link expired first. Their readers must request another.",
  },
  failed: { title: "Failed runs", text: "Of the last day, with the code of the error." },
};
