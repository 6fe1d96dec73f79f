"""The JSON schema from which editors complete and check quiz files, written from the model. Knows no file."""

from __future__ import annotations

import json

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from bot.content.model import QuizShape

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


class _ForEditors(GenerateJsonSchema):
    """Without the null that Python has for an absent key: in a file the key is simply not there."""

    def nullable_schema(self, schema: core_schema.NullableSchema) -> JsonSchemaValue:
        return self.generate_inner(schema["schema"])

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        inner = self.generate_inner(schema["schema"])
        return inner if schema.get("default") in (None, ()) else super().default_schema(schema)

    def field_title_should_be_set(self, _schema: object) -> bool:
        return False


def schema_text() -> str:
    """The schema as it stands in content/quiz.schema.json."""
    schema = QuizShape.model_json_schema(schema_generator=_ForEditors)
    return json.dumps({"$schema": _DRAFT, **schema}, indent=2, ensure_ascii=False) + "\n"
