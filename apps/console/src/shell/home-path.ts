/** Where a person works. */
export const homePath = "/app";
