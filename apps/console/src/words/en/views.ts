/** The texts of saved views in English. */
export const views = {
  views: "Views",
  changed: "changed",
  none: "No saved views of this table yet. A view keeps filter, order, columns and search.",
  name: "Name of a new view",
  saveAs: "Save as new",
  save: "Save",
  update: "Save changes to {name}",
  rename: "Rename {name}",
  delete: "Delete {name}",
  moveUp: "Move {name} up",
  moveDown: "Move {name} down",
};
