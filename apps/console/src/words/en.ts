/** The texts of the pages in English. Every other language has the same keys. */
export const en = {
  product: "Rowhouse",
  missing: {
    title: "This page does not exist",
    text: "Check the address, or start from your workspace.",
    back: "Open the workspace",
  },
  failure: {
    title: "This page could not be shown",
    text: "Reload it. If that does not help, report the time and the address to your administrator.",
    reload: "Reload",
  },
};

/** The shape of every catalog. */
export type Words = typeof en;
