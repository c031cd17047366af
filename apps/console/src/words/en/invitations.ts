/** The texts of invitations in English. */
export const invitations = {
  text: "An invited person gets a mail with a link, chooses a password and has the roles of the invitation.",
  new: "Invite a person",
  search: "Search invitations",
  empty: "Nobody has been invited yet.",
  emptyText: "Invite a person by their address. Only the mail contains the link.",
  nameHint: "They can change it when they accept.",
  rolesHint: "At least one role with API access.",
  rolesFault: "Choose at least one role with API access.",
  languageAny: "English",
  newText:
    "The link works once, for 72 hours. A new invitation to the same address replaces an open one.",
  send: "Send the invitation",
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
