"""Django's settings, and what the environment says."""

import os
from pathlib import Path

FOLDER = Path(os.environ["SITE_FOLDER"])
APPLICATION = os.environ["SITE_APPLICATION"]

# Which of the two ways leads to the database.
ACCESS = os.environ["TIERBENCH_FACTOR_ACCESS"]

SECRET_KEY = os.environ["TIERBENCH_TOKEN_KEY"]
ALLOWED_HOSTS = [os.environ["SITE_ADDRESS"]]

INSTALLED_APPS = [APPLICATION]
ROOT_URLCONF = f"{APPLICATION}.urls"
APPEND_SLASH = False

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "common.refusal.RefusalMiddleware",
]

TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True}]

# The folder mirrors URLs.
WHITENOISE_ROOT = FOLDER / "static"
WHITENOISE_MIMETYPES = {".svg": "image/svg+xml; charset=utf-8"}


def WHITENOISE_ADD_HEADERS_FUNCTION(headers, path, url):
    """Writes the charset as Django does, without quotes."""
    headers["Content-Type"] = headers["Content-Type"].replace('"', "")


# Instants are UTC, and shown as they are stored.
USE_TZ = False
TIME_ZONE = "UTC"
USE_I18N = False

IS_POSTGRESQL = os.environ["TIERBENCH_DB_SERVICE"] == "postgresql"

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.postgresql" if IS_POSTGRESQL else "django.db.backends.mysql",
        "HOST": os.environ["TIERBENCH_DB_HOST"],
        "PORT": os.environ["TIERBENCH_DB_PORT"],
        "NAME": os.environ["TIERBENCH_DB_NAME"],
        "USER": os.environ["TIERBENCH_DB_USER"],
        "PASSWORD": os.environ["TIERBENCH_DB_PASSWORD"],
        "OPTIONS": {"sslmode": "disable"} if IS_POSTGRESQL else {},
        "CONN_MAX_AGE": None,
        "CONN_HEALTH_CHECKS": True,
    }
}

# Without this, faults go by mail only.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "root": {"handlers": ["console"], "level": "ERROR"},
}
