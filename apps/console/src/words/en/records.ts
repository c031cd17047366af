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

/** The texts that the pages of simple kinds share in English. */
export const recordPage = {
  editTitle: "Edit {name}",
  deleteTitle: "Delete {name}?",
  deleteText: "It is deleted for good.",
  changed:
    "Somebody else has changed this meanwhile. The other fields are now as stored. What you typed stays; save again to replace it.",
};

/** The texts of the page of each simple kind in English. */
export const recordPages = {};

/** What sentences call a record of a simple kind in English; they join those of the audit log. */
export const recordNames = {};

/** The steps of a plan for each simple kind in English, and what lists call its documents. */
export const recordSteps = {};
export const recordParts = {};
