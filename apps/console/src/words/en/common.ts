/** The texts of every page in English. */
export const common = {
  choices: {
    language: "Language",
    theme: "Theme",
    system: "System",
    light: "Light",
    dark: "Dark",
    density: "Rows",
    compact: "Compact",
    comfortable: "Comfortable",
  },
  errors: {
    NETWORK_ERROR: "The service does not respond. Check your connection and try again.",
    INVALID_CREDENTIALS: "Wrong email or password.",
    EMAIL_NOT_VERIFIED: "Confirm your email address first, by the link in the mail that you got.",
    RATE_LIMIT_EXCEEDED:
      "Too many attempts. Try again in {seconds, plural, one {# second} other {# seconds}}.",
    SERVICE_UNAVAILABLE: "The service is not available. Try again in a moment.",
    QUERY_TIMEOUT: "The service took too long. Try again in a moment.",
    ACTION_DENIED: "You may not do this.",
    email: "Enter an email address, such as name@example.com.",
    UNEXPECTED: "Something failed in the service. Try again; if it fails again, report the time.",
  },
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
