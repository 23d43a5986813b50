"""An application: its routes, its files, and its error page."""

import mimetypes

from fastapi import APIRouter, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.staticfiles import StaticFiles
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException

from common.refusal import heading, wrong_parameter
from common.settings import FOLDER

# Starlette names the charset of text only.
mimetypes.add_type("image/svg+xml; charset=utf-8", ".svg")


class Pages:
    """Renders an application's templates."""

    def __init__(self, application: str) -> None:
        self.templates = Jinja2Templates(FOLDER / application / "templates")

    def __call__(self, request: Request, name: str, status: int = 200, **values) -> Response:
        return self.templates.TemplateResponse(request, f"{name}.html", values, status)


def build_site(pages: Pages, *routers: APIRouter) -> FastAPI:
    site = FastAPI(openapi_url=None)
    for router in routers:
        site.include_router(router)
    site.mount("/", StaticFiles(directory=FOLDER / "static"))

    @site.exception_handler(HTTPException)
    async def refuse(request: Request, refusal: HTTPException) -> Response:
        values = {"heading": heading(refusal.status_code), "text": refusal.detail}
        return pages(request, "error", refusal.status_code, onward=getattr(refusal, "onward", None), **values)

    @site.exception_handler(RequestValidationError)
    async def refuse_parameters(request: Request, fault: RequestValidationError) -> Response:
        *_, name = fault.errors()[0]["loc"]
        return await refuse(request, wrong_parameter(name))

    return site
