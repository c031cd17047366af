/** The titles and sentences of the examples of workflows in English. */
export const workflowExamples = {
  messageCustomers: {
    title: "Message each customer",
    text: "Sends a mail to every customer, with what is noted of them.",
  },
  solarFlares: {
    title: "Report solar flares each week",
    text: "Asks NASA for solar flares, and posts the strong ones and the others separately.",
  },
  weeklySales: {
    title: "Announce the sales of the week",
    text: "Stores the orders of a warehouse as rows, and announces the sum of the booked ones.",
  },
  regionFiles: {
    title: "Make a file for each order of a region",
    text: "Writes the orders of one region to files, and mails them to the sales team.",
  },
  wrongOrder: {
    title: "Stop at a wrong order, and report a failure",
    text: "Rejects an order without a price, forwards the others, and mails the team if that fails.",
  },
  cities: {
    title: "Look up several cities at once",
    text: "Asks a map service for each city of a list, three at a time; one failure does not stop the rest.",
  },
  chatCommand: {
    title: "Handle a command of a chat",
    text: "Sends a mail or creates a ticket, depending on the command, and answers the chat.",
  },
  retryPayment: {
    title: "Retry a payment",
    text: "Charges a payment, tries again after a failure, and notes the outcome in its row.",
  },
  addContact: {
    title: "Add a contact, even without details",
    text: "Searches for the details of an address, and adds the contact even if the search fails.",
  },
  newMentions: {
    title: "Publish new mentions",
    text: "Searches for news every 15 minutes, and publishes only those that it has not seen yet.",
  },
};
