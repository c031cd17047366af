export const product = "Rowhouse";

// The texts of every page in English.

export const choices = {
  language: "Language",
  theme: "Theme",
  system: "System",
  light: "Light",
  dark: "Dark",
  density: "Rows",
  compact: "Compact",
  comfortable: "Comfortable",
};

export const errors = {
  NETWORK_ERROR: "The service does not respond. Check your connection and try again.",
  INVALID_CREDENTIALS:
    "Wrong email or password, or this account has no access yet. If the password is right, ask an administrator.",
  EMAIL_NOT_VERIFIED: "Confirm your email address first, by the link in the mail that you got.",
  RATE_LIMIT_EXCEEDED:
    "Too many attempts. Try again in {seconds, plural, one {# second} other {# seconds}}.",
  SERVICE_UNAVAILABLE: "The service is not available. Try again in a moment.",
  QUERY_TIMEOUT: "The service took too long. Try again in a moment.",
  ACTION_DENIED: "You may not do this.",
  email: "Enter an email address, such as name@example.com.",
  UNEXPECTED: "Something failed in the service. Try again; if it fails again, report the time.",
};

export const missing = {
  title: "This page does not exist",
  text: "Check the address, or start from your workspace.",
  back: "Open the workspace",
};

export const failure = {
  title: "This page could not be shown",
  text: "Reload it. If that does not help, report the time and the address to your administrator.",
  reload: "Reload",
};

// The texts of the palette and of the list of shortcuts in English.

export const palette = {
  title: "Open or do",
  open: "Search",
  placeholder: "Type a table, a page, an action or the name of a row",
  results: "Results",
  found: "{count, plural, =0 {No result} one {# result} other {# results}}",
  nothing: "Nothing matches. Try fewer letters.",
  here: "On this page",
  readings: "Dashboards and DataViews",
  tables: "Tables and views",
  pages: "Pages",
  actions: "Actions",
  rows: "Rows",
  notSearched:
    "{count, plural, one {This table} other {These tables}} took too long to search: {names}.",
  theme: "Theme: {name}",
  density: "Rows: {name}",
  language: "Language: {name}",
  singleKeysOn: "Turn on shortcuts of a single key",
  singleKeysOff: "Turn off shortcuts of a single key",
};

export const shortcuts = {
  title: "Keyboard shortcuts",
  close: "Close",
  everywhere: "Everywhere",
  palette: "Search everything",
  list: "Show these shortcuts",
  singleKeys: "Shortcuts of a single key",
  singleKeysHint:
    "Turn them off if you dictate or press keys by accident. Shortcuts with Ctrl or ⌘ stay on.",
};

export const keys = {
  Ctrl: "Ctrl",
  Alt: "Alt",
  Shift: "Shift",
  Enter: "Enter",
  Escape: "Esc",
  Space: "Space",
  Delete: "Del",
  Backspace: "Backspace",
};

export const renewal = {
  title: "Your session has ended",
  text: "Sign in again to continue. Nothing that you typed is lost.",
  email: "Email",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  submit: "Continue",
  through: "Continue with {name} in a new tab",
  signOut: "Sign out instead",
  stranger:
    "{other} has signed in, but this page is open for {email}. Sign in as {email}, or start over.",
  startOver: "Start over as the other person",
};

// The texts of the sign-in pages in English.

export const signIn = {
  title: "Sign in",
  email: "Email",
  password: "Password",
  show: "Show password",
  hide: "Hide password",
  forgot: "Forgot your password?",
  keep: "Stay signed in on this device",
  submit: "Sign in",
  or: "or",
  through: "Continue with {name}",
  new: "No account yet?",
  register: "Create one",
  back: "Back to sign-in",
  done: {
    reset: "Your new password is set. Sign in with it.",
    verified: "Your email address is confirmed.",
  },
};

export const password = {
  label: "Password",
  show: "Show password",
  hide: "Hide password",
  rule: "{min} to {max} characters. A few unrelated words are easy to remember.",
  more: "{left, plural, one {# more character} other {# more characters}}",
  good: "This password can be used.",
  LENGTH: "Use {min} to {max} characters.",
  COMMON: "This password is too common. Attackers try it first.",
  OWN_WORDS: "Add more than your name, your address or the name of this product.",
};

export const register = {
  title: "Create an account",
  name: "Name",
  email: "Email",
  submit: "Create account",
  closed: "This installation creates accounts by invitation only.",
  sentTitle: "Check your mail",
  sentText: "We sent a mail to {email}. Open the link in it to continue.",
};

export const forgot = {
  title: "Forgot your password?",
  text: "Enter your email address to get a link that sets a new password.",
  email: "Email",
  submit: "Send the link",
  sentTitle: "Check your mail",
  sentText:
    "If {email} has an account, a mail with a link is on its way. The link works for 15 minutes.",
};

export const reset = {
  title: "Set a new password",
  text: "This ends your sessions on every device.",
  submit: "Set password",
};

export const verify = {
  doneTitle: "Address confirmed",
  done: "The address belongs to your account. Sign in with it from now on.",
  continue: "Open the workspace",
  title: "Confirm your email address",
  text: "One press, and the address belongs to your account.",
  submit: "Confirm address",
  resend: "Send the link again",
  sent: "If the address has an account, a new link is on its way.",
};

export const invitation = {
  title: "Accept your invitation",
  text: "Choose a password, and your account is ready.",
  from: "{inviter} invites {email} to {site} as {roles}. Choose a password, and your account is ready.",
  nobody: "An administrator",
  name: "Name",
  nameHint: "Leave it empty to keep the name in the invitation.",
  submit: "Create account and sign in",
};

export const linkFailure = {
  title: "This link does not work",
  reset: "It is invalid, expired or already used. Links for a new password work for 15 minutes.",
  verify: "It is invalid, expired or already used. Sign in to get a new one.",
  invitation: "It is invalid, expired or already used. Ask for a new invitation.",
  again: "Get a new link",
};

export const complete = {
  title: "Signing you in",
  waiting: "One moment.",
  failed: "Sign-in failed",
  linkedTitle: "Account linked",
  linked: "From now on you can sign in with this account too.",
  continue: "Open the workspace",
  expired: "This sign-in took too long, or was started in another browser. Start again.",
  unknown_provider: "This installation has no such provider. Sign in another way.",
  provider_failed: "The provider did not confirm who you are. Try again, or sign in another way.",
  canceledTitle: "Sign-in canceled",
  canceled: "You canceled the sign-in at the provider.",
  unverified:
    "The provider does not confirm your email address. Ask your administrator for an invitation, sign in with it, and link the provider in your account.",
  not_allowed: "This account may not sign in here. Ask your administrator for an invitation.",
  account_exists:
    "An account with this address exists. Sign in with its password, then link the provider to it.",
  rate_limited: "Too many attempts. Wait a minute, then try again.",
  unavailable: "The service or the provider is not available. Try again in a moment.",
};

export const trial = {
  title: "Trying the sign-in",
  waiting: "One moment.",
  works: "The sign-in works",
  user: "It signed in {name} ({email}).",
  ended: "The session of this trial has ended. You are still signed in as before.",
  back: "Back to the providers",
};

export const consent = {
  title: "Allow access?",
  loading: "Reading the request",
  wants: "wants to use the MCP server of this installation in your name.",
  publishedBy: "The program is described at",
  unproven: "Nobody has checked this name",
  unprovenText: "The program has registered itself, with a name of its own choice.",
  leadsTo: "Your answer goes to",
  loopback: "A program on this device",
  person: "In the name of",
  otherAccount: "Use another account",
  may: "It may",
  scopes: {
    read: "Read rows",
    write: "Create, change and delete rows",
    workflows: "Start workflows",
  },
  scopeTexts: {
    read: "Only rows that you may read.",
    write: "As far as you may do so, and as far as this installation allows programs to.",
    workflows: "Only workflows that are offered as tools and that you may start.",
  },
  notOffered: "The program did not ask for it, or this installation does not let programs do it.",
  never:
    "It never reaches your account, the administration or SQL. A text in a row can mislead a program that reads it: allow only what the program needs.",
  name: "Name of this access",
  nameHint: "Your tokens list it under this name. There you can end it at any time.",
  nameFault: "Use 1 to 100 characters.",
  nameTaken: "One of your tokens has this name.",
  days: "Ends after",
  dayCount: "{count, plural, one {# day} other {# days}}",
  more: "As “{name}”, for {count, plural, one {# day} other {# days}}",
  allow: "Allow",
  deny: "Deny",
  failed: "This request cannot be answered",
  failedText:
    "Nothing was allowed. Close this page and start again in the program. If that does not help, the program is at fault, or somebody has sent you a wrong link.",
  twice: "The address names a parameter twice.",
  off: "This installation does not let programs ask for access.",
  mayNot:
    "Your roles do not allow you to create tokens, and so not to give a program access. An administrator can change that.",
  workspace: "Open the workspace",
  leaving: "Back to the program",
  leavingText: "You can close this page if the program has taken over.",
  open: "Open the program again",
};
