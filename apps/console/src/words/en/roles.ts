/** The texts of roles in English. */
export const roles = {
  title: "Roles",
  text: "A role is a set of grants with members. A person may do what all their roles allow together.",
  new: "New role",
  newText: "The role has no members and no grants yet.",
  search: "Search roles",
  empty: "No roles.",
  members: "Members",
  settings: "Name and rights",
  rights: "Rights",
  everything: "May do everything",
  access: "API access",
  noAccess: "No API access",
  tokens: "Own tokens",
  apiAccess: "Members may sign in and use the API",
  tokenCreation: "Members may create tokens of their own",
  nameFault: "Use 1 to 100 characters.",
  nameTaken: "Another role has this name.",
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
