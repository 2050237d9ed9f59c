/* Scores of Sphinx's search: its own, except that the page of a command comes first if the query contains the command. */
var Scorer = {
  score: ([page, , , , score]) => {
    if (!page.startsWith("docs/cli/")) return score;
    const command = page.slice("docs/cli/".length).split("-");
    const query = (new URLSearchParams(location.search).get("q") || "").toLowerCase().split(/\s+/);
    return command.every(word => query.includes(word)) ? score + 1000 * command.length : score;
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0,
  title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
