"""Needs: what people lack, and what would help."""
