# Prints the versions of Python and of the libraries in one line, for results: those that are installed for the program.
exec "$(dirname "$0")/build/venv/bin/python" -c '
from importlib.metadata import version
from platform import python_version
libraries = ("FastAPI", "uvicorn", "SQLAlchemy", "psycopg", "PyMySQL")
print(", ".join([f"Python {python_version()}", *(f"{library} {version(library)}" for library in libraries)]))'
