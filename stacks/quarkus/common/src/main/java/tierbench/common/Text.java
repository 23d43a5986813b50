package tierbench.common;

import static java.lang.annotation.ElementType.PARAMETER;
import static java.lang.annotation.RetentionPolicy.RUNTIME;

import jakarta.validation.Constraint;
import jakarta.validation.OverridesAttribute;
import jakarta.validation.Payload;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.Retention;
import java.lang.annotation.Target;
import org.hibernate.validator.constraints.CodePointLength;

/** A text that is there, is not empty, and can be stored: in UTF-8 and without NUL. */
@NotNull
@CodePointLength(min = 1)
@Pattern(regexp = "[^\0\uFFFD]*")
@Constraint(validatedBy = {})
@Retention(RUNTIME)
@Target(PARAMETER)
public @interface Text {
  @OverridesAttribute(constraint = CodePointLength.class, name = "max")
  int max();

  String message() default "";

  Class<?>[] groups() default {};

  Class<? extends Payload>[] payload() default {};
}
