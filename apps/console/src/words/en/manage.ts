/** The texts that lists and forms of every page share in English. */
export const manage = {
  loading: "Loading",
  notLoaded: "The list cannot be loaded.",
  retry: "Try again",
  more: "Show more",
  search: "Search",
  nothingFound: "Nothing matches.",
  save: "Save",
  saved: "Saved",
  cancel: "Cancel",
  close: "Close",
  create: "Create",
  delete: "Delete",
  edit: "Edit",
  actions: "Actions",
  name: "Name",
  description: "Description",
  none: "none",
  never: "never",
  changedMeanwhile:
    "Somebody else has changed this meanwhile. Reload to see it; what you typed stays until then.",
  reload: "Reload",
};
