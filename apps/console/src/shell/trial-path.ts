/**
 * Where the trial of a provider's sign-in ends. The page that completes a sign-in recognizes it, and starts no session in
 * this browser.
 */
export const trialPath = "/admin/people/providers?trial=done";
