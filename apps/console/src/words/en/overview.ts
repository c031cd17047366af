/** The texts of the first page of the administration in English. */
export const overview = {
  title: "Administration",
  text: "Everything that an administrator can do with the Admin API, with what it will do beforehand.",
};
