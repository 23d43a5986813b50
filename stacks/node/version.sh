# Prints the versions of Node and of the libraries in one line, for results: those that are installed for the program.
cd "$(dirname "$0")" && exec node --print '
    const { dependencies } = require("./package.json");
    `Node ${process.versions.node}, ` + Object.entries(dependencies).map(([name, version]) => `${name} ${version}`).join(", ")'
