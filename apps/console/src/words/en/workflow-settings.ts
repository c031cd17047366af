/** The texts of the settings of a workflow in English. */
export const workflowSettings = {
  general: "Name and address",
  slug: "Slug",
  slugHint: "Its name in URLs: lower-case letters, digits and hyphens.",
  slugChange:
    "The URL of the webhook changes. Calls of the former one get 404, and steps that run this workflow by its former slug fail.",
  leave: "Leave without saving the name?",
  changed: "Another person has changed this meanwhile: {name} ({slug}). Save again to overwrite.",
  grants: "Who may start it",
  grantsText:
    "Members of these roles may call an authenticated webhook. Administrators need a role, too.",
  isPublic: "The webhook of the draft is public: anybody may call it, without a role.",
  noGrants: "No role may start it.",
  role: "Role",
  addRole: "Allow",
  remove: "Remove",
  removeRole: "Remove {name}",
  removeConfirm: "Remove it",
  delete: "Delete the workflow",
  deleteHint: "With its versions, its history and its samples.",
  deleteTitle: "Delete {name}?",
  deleteText:
    "Its versions, runs, samples and grants are deleted for good. It cannot be deleted while a run is in progress.",
  deleteEnabled: "It is enabled: calls and events after this start nothing.",
  typeSlug: "Type {slug} to confirm",
};
