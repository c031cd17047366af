/** The texts of the home page's lists in English. */
export const home = {
  pinned: "Pinned",
  recent: "Opened last",
  pin: "Pin {name} to your home page",
  unpin: "Remove {name} from the pinned ones",
};
