/** The texts of users in English. */
export const people = {
  title: "People",
  tabs: {
    users: "Users",
    roles: "Roles",
    invitations: "Invitations",
    providers: "Providers",
    tokens: "Tokens",
  },
  text: "Everybody who can sign in, and the accounts of the system. Roles decide what a person may do.",
  managedText: "The accounts that your roles let you manage.",
  managedNewText:
    "The account has no role yet. Its owner sets a password by “Forgot password”, or signs in through a provider.",
  new: "New user",
  newText:
    "The user has no role yet; you add roles on the next page. Without a password they set one by “Forgot password”, or sign in through a provider.",
  search: "Search users",
  state: "State",
  all: "All",
  active: "Active",
  inactive: "Inactive",
  access: "Access",
  accessAll: "All",
  accessTrue: "May sign in",
  accessFalse: "No access",
  system: "System account",
  systemText: "This account belongs to the service. It cannot sign in and cannot be changed.",
  unverified: "Unverified",
  empty: "No users.",
  email: "Email",
  emailFault: "Enter an email address, such as name@example.com.",
  emailTaken: "Another user has this address.",
  vouched: "The address counts as verified, because you vouch for it.",
  moved:
    "The new address gets a link to confirm it; the old one gets a notice, and links that were sent to it become invalid.",
  movedVouched: "The new address counts as verified. The old one gets a notice.",
  vouch: "I vouch for this address",
  nameFault: "Use at most 200 characters.",
  password: "Password (optional)",
  timeZone: "Time zone",
  timeZoneHint: "Empty: that of the service. Type a part of a city's name.",
  timeZoneFault: "No such time zone. Choose one from the list, such as Europe/Oslo.",
  language: "Language",
  languageAny: "As the browser or service",
  roles: "Roles",
  andOthers: "{names} and {count, plural, one {# other} other {# others}}",
  lastSignIn: "Last sign-in",
  viewAs: "View as",
  trail: "Audit trail",
  changed:
    "Somebody else has changed this meanwhile. It is now: {name}, {email}, {timeZone}. What you typed stays; save again to replace it.",
  userTabs: {
    profile: "Profile and roles",
    permissions: "What they may do",
    sessions: "Sessions",
    tokens: "Tokens",
  },
  deactivate: "Deactivate",
  deactivateTitle: "Deactivate {name}?",
  deactivateText:
    "Their sessions end and their tokens are refused with the next request. Roles and tokens stay, for the day you activate the account again. Nothing that they wrote is deleted.",
  activate: "Activate",
  activateTitle: "Activate {name}?",
  activateText:
    "They can sign in again, with the roles they have. Their tokens work again until they expire. Ended sessions stay ended.",
  lastAdministrator:
    "An active administrator must remain. Make another person an administrator first.",
  rolesText: "A change applies from the next request on.",
  noRoles: "Without a role with API access this person cannot sign in. Add one.",
  addRole: "Add a role",
  add: "Add",
  added: "Added: {name}",
  remove: "Remove",
  removeRole: "Remove the role {name}",
  removeMember: "Remove {name}",
  memberAlready: "This person is already a member.",
  leaveTitle: "Remove {name} from {role}?",
  leaveText: "The grants of this role no longer apply to this person from the next request on.",
  leftAlready: "This person is not a member any longer. Somebody else has removed them.",
  administratorTitle: "Make {name} an administrator?",
  administratorConfirm: "Make administrator",
  administratorText:
    "Administrators may read and change everything, including people and roles. Every administrator gets a mail about it.",
  sessionsText:
    "Where this person is signed in. A session that ends is rejected with its next request.",
  noSessions: "Not signed in anywhere.",
  since: "Signed in {since} by {way}",
  endAll: "End all sessions",
  endAllTitle: "End all sessions of this person?",
  endTitle: "End this session?",
  endedAlready: "The session has ended already.",
  permissionsText: "The combined grants of all roles, as the service applies them to each request.",
  searchResources: "Search tables and views",
  resource: "Table or view",
  byRoles: "By the roles",
  actions: { READ: "Read", CREATE: "Create", UPDATE: "Change", DELETE: "Delete" },
  notAllowed: "no",
  everyNewRow: "every new row",
  someNewRows: "some new rows",
  everyRow: "every row",
  someRows: "some rows",
  fields: "{count, plural, one {# column} other {# columns}}",
  hidden: "not exposed",
  noPermissions: "No grant on any table or view.",
  noPermissionsText:
    "A grant gives a role an action on a table or view. This person's roles have none.",
  standing: {
    inactive: "The account is inactive: every request is refused.",
    administrator: "Administrator: may do everything that is exposed, without a grant.",
    noAccess: "No role has API access: this person cannot sign in.",
    tokens: "May sign in, and may create tokens of their own.",
    noTokens: "May sign in. No role lets them create tokens.",
  },
};

/** The texts of roles in English. */
export const roles = {
  title: "Roles",
  text: "A role is a set of grants with members. A person may do what all their roles allow together.",
  new: "New role",
  newText: "The role has no members and no grants yet.",
  search: "Search roles",
  empty: "No roles.",
  members: "Members",
  settings: "Settings",
  invite: "Invite with this role",
  administratorsRights: "Members of Administrators need no grant: they may do everything.",
  rights: "Rights",
  everything: "May do everything",
  descriptionFault: "Use at most 1000 characters.",
  losesAccess:
    "{count, plural, one {The member} other {Each of the # members}} without another role with API access is signed out with the next request.",
  changed:
    "Somebody else has changed this meanwhile. It is now: {name}, “{text}”. What you typed stays; save again to replace it.",
  addMember: "Add a person",
  searchMembers: "Search members",
  noMembers: "No members yet.",
  noMembersText: "Find a person by name or address above, and add them.",
  since: "Member since",
  deleteTitle: "Delete the role {name}?",
  deleteConfirm: "Delete role",
  deleteMembers:
    "{count, plural, =0 {It has no members.} one {One member loses what it allows.} other {# members lose what it allows.}}",
  deleteGrants:
    "{count, plural, =0 {It has no grants.} one {One grant is deleted with it.} other {# grants are deleted with it.}}",
  deleteText:
    "This applies from the next request on and cannot be taken back. No account is deleted.",
};

/** The texts of invitations in English. */
export const invitations = {
  text: "An invited person opens the link of their mail, or one that you hand over, chooses a password and has the roles of the invitation.",
  new: "Invite a person",
  search: "Search invitations",
  empty: "Nobody has been invited yet.",
  emptyText: "Invite a person by their address.",
  nameHint: "They can change it when they accept.",
  rolesHint: "At least one role with API access.",
  rolesFault: "Choose at least one role with API access.",
  languageAny: "English",
  newText:
    "The link works once, for 72 hours. A new invitation to the same address replaces an open one.",
  send: "Send the invitation",
  sendAgain: "Send again",
  sendAgainOne: "Send again: {email}",
  link: "Link to copy",
  linkOne: "Link to copy: {email}",
  createLink: "Create the link",
  noMail: "No mail server is set, so no mail is sent. You get a link to hand over.",
  toFile:
    "No mail server is set: the mail was written to a file of the service. Create a link to hand over instead.",
  linkText:
    "Give this link to the person only: it is all that it takes to accept the invitation. It is shown only now, and earlier links no longer work.",
  copy: "Copy",
  copied: "Copied",
  sentTitle: "Invitation created",
  sent: "The mail to {email} is on its way.",
  sentText:
    "The service hands it to the mail server and repeats that until the link expires. If the mail server rejects it for good, the list says so.",
  until: "Link works until",
  states: { open: "Open", accepted: "Accepted", revoked: "Revoked", expired: "Expired" },
  mailRejected: "Mail not delivered",
  mailText: "The mail server has rejected the mail, or the link expired before it was accepted.",
  revoke: "Revoke",
  revokeOne: "Revoke the invitation of {email}",
  revokeTitle: "Revoke the invitation of {email}?",
  revokeConfirm: "Revoke invitation",
  revokeText:
    "Its link stops working at once. A mail that is still waiting is not sent. You can invite the address again.",
  usedMeanwhile:
    "The invitation was accepted or revoked meanwhile. Close this and look at its state.",
};

/** The texts of the providers of sign-in in English. */
export const providers = {
  text: "People sign in through a provider instead of a password: Google, GitHub, or any provider of OpenID Connect.",
  new: "New provider",
  search: "Search providers",
  empty: "No provider yet.",
  emptyText:
    "Register this service at a provider first; it gives you a client id and a client secret.",
  enabled: "Enabled",
  disabled: "Disabled",
  kind: "Kind",
  kinds: { oidc: "OpenID Connect", google: "Google", github: "GitHub" },
  issuerFact: "{issuer}, client {clientId}",
  anyDomain: "Addresses of any domain",
  domainsFact: "Only addresses of {domains}",
  linkedOnly: "Signs in people who have linked it to their account",
  newAccounts: "Also creates accounts, with a role",
  try: "Try sign-in",
  tryText:
    "Opens the provider in a new tab. Your session stays. It is a real sign-in: somebody without an account gets one, if the provider has a role for new accounts.",
  enable: "Enable",
  enableTitle: "Enable {name}?",
  enableText: "The sign-in page offers it from now on.",
  disable: "Disable",
  disableTitle: "Disable {name}?",
  disableText:
    "The sign-in page no longer offers it. Open sessions stay; people without a password cannot sign in until it is enabled again.",
  deleteTitle: "Delete {name}?",
  deleteText:
    "Nobody signs in through it any longer, and its client secret is deleted. Accounts keep their links, which work again if you add a provider with the same issuer.",
  gone: "Somebody else has deleted this provider.",
  editTitle: "Edit {name}",
  changed:
    "Somebody else has changed this meanwhile. It is now: {name}, {issuer}, client {clientId}. What you typed stays; save again to replace it.",
  fields: {
    key: "Key",
    name: "Name on the sign-in page",
    issuer: "Issuer",
    clientId: "Client id",
    clientSecret: "Client secret",
    allowedDomains: "Allowed domains",
  },
  hints: {
    key: "Part of its addresses, such as google. It cannot be changed.",
    issuer: {
      oidc: "The URL of the provider, such as https://id.example.com.",
      google: "Empty: that of Google.",
      github: "Empty: github.com. For GitHub Enterprise, its URL.",
    },
    allowedDomains: "Domains of addresses that may get a new account, with commas. Empty: any.",
    secret: "Stored encrypted, and never shown.",
    secretKept: "Empty: the stored secret stays.",
    secretAgain:
      "The issuer changes: enter its client secret. The stored one stays with the old issuer.",
    role: "A person without an account gets one with this role.",
    noRole: "None: only people who have linked it to their account can sign in.",
  },
  faults: {
    key: "Use 1 to 40 lower-case letters, digits and hyphens.",
    name: "Use 1 to 100 characters.",
    issuer: "Enter a URL that begins with https://.",
    clientId: "Use 1 to 500 characters.",
    clientSecret: "Enter the client secret.",
    allowedDomains: "Enter domains, such as example.com.",
    roleId: "Choose a role other than Administrators.",
  },
  keyTaken: "Another provider has this key.",
  role: "Role of new accounts",
  removeRole: "No role: create no accounts",
  callback: "Register this address at the provider:",
};

/** The texts of the tokens of everybody in English. */
export const tokens = {
  text: "Programs use tokens instead of a session. A service account is a user without a password.",
  new: "New token",
  search: "Search tokens and owners",
  empty: "No tokens yet.",
  emptyText: "A token lets a program work in the name of a person or a service account.",
  soonText:
    "Active tokens that expire within {count, plural, one {# day} other {# days}}, the setting api_keys.rotation_warning_days.",
  owner: "Owner",
  ownerHint: "A person or a service account, by name or address.",
  ownerFault: "Choose the owner.",
  ownerInactive: "Owner inactive: refused",
  nameTaken: "Another token of this owner has this name.",
  planeFault: {
    api: "The owner is inactive or has no role with API access. Add a role first.",
    admin: "Only a token of an active administrator may administer.",
  },
  rights: "A token may do what its owner's roles allow, but cannot change the owner's account.",
  editTitle: "Edit {name}",
  changed:
    "Somebody else has changed this meanwhile. It is now: {name}, “{text}”. What you typed stays; save again to replace it.",
  use: "Made by",
  ofPrograms: "Consent to a program",
  created: "Its owner or an administrator",
};

/**
 * The texts of the fields of records in English: in a form, for a fault in it, on a badge of a record, and in a sentence of the
 * audit log.
 */
export const recordFields = {
  role: {
    name: {
      label: "Name",
      fault: "Use 1 to 100 characters.",
      taken: "Another role has this name.",
      changed: "the name",
    },
    description: {
      label: "Description",
      fault: "Use at most 1000 characters.",
      changed: "the description",
    },
    apiAccess: {
      label: "Members may sign in and use the API",
      badge: "API access",
      noBadge: "No API access",
      changed: "the access to the APIs",
    },
    tokenCreation: {
      label: "Members may create tokens of their own",
      badge: "Own tokens",
      changed: "the right to create tokens",
    },
  },
};
