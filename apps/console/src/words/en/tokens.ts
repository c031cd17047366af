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
