/** The texts of a record beside the grid in English. */
export const record = {
  record: "Record",
  loading: "Loading",
  missing: "This record does not exist, or it is not open to you.",
  row: "Row",
  values: "Values",
  back: "Back to the record before",
  previous: "Previous row",
  next: "Next row",
  close: "Close",
  save: "Save",
  discard: "Discard",
  unsaved: "{count, plural, one {# change, not saved} other {# changes, not saved}}",
  openRelated: "Open the row that {name} refers to",
  relatedCount: "{count, plural, =0 {No rows} one {# row} other {# rows}}",
  inGrid: "Show in the grid",
  more: "Show more",
};
