/** The form of a workflow's slug. */
export const slugForm = /^[a-z0-9](?:[a-z0-9-]{0,78}[a-z0-9])?$/;
export const slugMessage = "A slug must be 1 to 80 lower-case letters, digits and dashes";
