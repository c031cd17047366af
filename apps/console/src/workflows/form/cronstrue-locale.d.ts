/** Adds German to the languages of `cronstrue`. */
declare module "cronstrue/locales/de.js";
